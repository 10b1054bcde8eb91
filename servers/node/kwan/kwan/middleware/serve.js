import send from 'send';

/** Serves the files below `root`; what is not there, or is no file, is handed on. */
export function serve(root) {
  return async ({ req, res }, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      await next();
      return;
    }
    const served = await new Promise((resolve, reject) => {
      send(req.raw, req.path, { root, index: false })
        .on('error', (error) => (error.status < 500 ? resolve(false) : reject(error)))
        .on('directory', () => resolve(false))
        .on('end', () => resolve(true))
        .pipe(res.raw);
    });
    if (!served) {
      await next();
    }
  };
}

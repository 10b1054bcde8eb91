import send from 'send';

/** Serves the files below `root`; what is not there, or is no file, is handed on. */
export function serve(root) {
  return async ({ req, res }, next) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') {
      await next();
      return;
    }
    const served = await new Promise((resolve, reject) => {
      // However the answer ends: sent, not modified, or cut off by the client.
      res.raw.once('close', () => resolve(true));
      send(req.raw, req.path, { root, index: false })
        .on('error', (error) => (error.status < 500 ? resolve(false) : reject(error)))
        .on('directory', () => resolve(false))
        .pipe(res.raw);
    });
    if (!served) {
      await next();
    }
  };
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (number) => String(number).padStart(2, '0');

function timestamp(date) {
  const day = `${two(date.getUTCDate())}/${months[date.getUTCMonth()]}/${date.getUTCFullYear()}`;
  const time = [date.getUTCHours(), date.getUTCMinutes(), date.getUTCSeconds()].map(two).join(':');
  return `${day}:${time} +0000`;
}

/** Writes a line in the Common Log Format to `stream` for every request that was answered. */
export function logger(stream) {
  return async ({ req, res }, next) => {
    const { method, url } = req;
    const { httpVersion, socket } = req.raw;
    const address = socket.remoteAddress;

    // When it is over rather than here, so that errors and files are logged with their real status.
    res.raw.once('finish', () => {
      const request = `${method} ${url} HTTP/${httpVersion}`;
      const length = res.get('Content-Length') ?? '-';
      stream.write(
        `${address} - - [${timestamp(new Date())}] "${request}" ${res.raw.statusCode} ${length}\n`,
      );
    });

    await next();
  };
}

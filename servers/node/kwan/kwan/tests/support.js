import { once } from 'node:events';

import { Application } from '../index.js';

/**
 * Serves `middlewares` on a free port while `test` runs. `test` is given a `fetch` for paths of the
 * server, and the application.
 */
export async function served(middlewares, test) {
  const app = new Application();
  for (const middleware of middlewares) {
    app.use(middleware);
  }
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const root = `http://127.0.0.1:${server.address().port}`;
  try {
    await test((path, options) => fetch(root + path, options), app);
  } finally {
    server.close();
    server.closeAllConnections();
  }
}

/** The cookies that an answer sets, as a client would send them back. */
export function cookies(answer) {
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';', 1)[0])
    .join('; ');
}

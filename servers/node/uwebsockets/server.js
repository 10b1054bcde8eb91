import cluster from 'node:cluster';

import { text } from './lib/answer.js';
import { requiredNumber } from './lib/environment.js';
import { stopOnSigterm } from './lib/shutdown.js';
import { loadApp } from './scenario.js';
import uWS from './uws.js';

const port = requiredNumber('PORT');
const { default: routes } = await loadApp();

const app = uWS.App();
await routes(app);
app.any('/*', (response) => text(response, 'Not Found', '404 Not Found'));

// Workers of a cluster share the port by SO_REUSEPORT; a single process wants it alone.
const { LIBUS_LISTEN_DEFAULT = 0, LIBUS_LISTEN_EXCLUSIVE_PORT } = uWS;
const options = cluster.isWorker ? LIBUS_LISTEN_DEFAULT : LIBUS_LISTEN_EXCLUSIVE_PORT;

app.listen(process.env.HOST ?? '127.0.0.1', port, options, (socket) => {
  if (!socket) {
    console.error(`cannot listen on port ${port}`);
    process.exit(1);
  }
  stopOnSigterm(() => uWS.us_listen_socket_close(socket));
  process.send?.('listening');
});

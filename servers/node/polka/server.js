import { required } from './lib/environment.js';
import { stopOnSigterm } from './lib/shutdown.js';
import { loadApp } from './scenario.js';

const port = required('PORT');
const app = await loadApp();

const { server } = app.listen(port, process.env.HOST ?? '127.0.0.1');

server.on('error', (error) => {
  console.error(`cannot listen on port ${port}: ${error.message}`);
  process.exit(1);
});

// Longer than clients and proxies keep idle connections, so that they close first
// and no request meets a connection that is just being closed.
server.keepAliveTimeout = 75_000;
stopOnSigterm(server);

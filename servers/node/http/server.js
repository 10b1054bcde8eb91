import { createServer } from 'node:http';

import { required } from './lib/environment.js';
import { stopOnSigterm } from './lib/shutdown.js';
import { loadApp } from './scenario.js';

const port = required('PORT');
const { default: app, upgrade } = await loadApp();

// The idle time is longer than that of clients and proxies, so that they close first
// and no request meets a connection that is just being closed.
const server = createServer({ keepAliveTimeout: 75_000 }, app);

if (upgrade) {
  server.on('upgrade', upgrade);
}

server.on('error', (error) => {
  console.error(`cannot listen on port ${port}: ${error.message}`);
  process.exit(1);
});

server.listen(port, process.env.HOST ?? '127.0.0.1');
stopOnSigterm(server);

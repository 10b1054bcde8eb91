import Hapi from '@hapi/hapi';

import { required } from './lib/environment.js';
import { loadApp } from './scenario.js';

const GRACE_MS = 1000;

const port = Number(required('PORT'));
const { options, register } = await loadApp();
const server = Hapi.server({
  port,
  host: process.env.HOST ?? '127.0.0.1',
  debug: false, // By default hapi writes errors to the console itself, for development.
  ...options,
});

// Longer than clients and proxies keep idle connections, so that they close first
// and no request meets a connection that is just being closed.
server.listener.keepAliveTimeout = 75_000;

server.events.on({ name: 'request', channels: 'error' }, (request, event) => {
  console.error(`${request.method} ${request.path}: ${event.error.stack}`);
});

// hapi's own stop() lets requests in flight end and cuts the others after the grace.
process.once('SIGTERM', async () => {
  await server.stop({ timeout: GRACE_MS });
  process.exit();
});

await server.register({ name: 'app', register });

try {
  await server.start();
} catch (error) {
  console.error(`cannot listen on port ${port}: ${error.message}`);
  process.exit(1);
}

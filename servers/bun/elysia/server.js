import { requiredNumber } from './lib/environment.js';
import { loadApp } from './scenario.js';

const app = await loadApp();

app.listen({
  hostname: process.env.HOST ?? '127.0.0.1',
  port: requiredNumber('PORT'),
  // With it, several processes listen on the port, and the kernel hands out the connections.
  reusePort: process.env.WORKERS !== undefined,
  // Longer than clients and proxies keep idle connections, so that they close first
  // and no request meets a connection that is just being closed.
  idleTimeout: 75,
  development: false,
});

process.once('SIGTERM', async () => {
  // Lets requests in flight end, then cuts what is left.
  setTimeout(() => process.exit(), 1000).unref();
  await app.stop();
  process.exit();
});

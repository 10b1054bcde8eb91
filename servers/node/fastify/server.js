import Fastify from 'fastify';

import { required } from './lib/environment.js';
import { loadApp } from './scenario.js';

const GRACE_MS = 1000;

const port = Number(required('PORT'));
const fastify = Fastify({
  logger: { level: 'error', stream: process.stderr },
  // Longer than clients and proxies keep idle connections, so that they close first
  // and no request meets a connection that is just being closed.
  keepAliveTimeout: 75_000,
});

// Fastify's own close() lets requests in flight end; a connection that never ends its
// request, or was upgraded, is cut after the grace.
process.once('SIGTERM', async () => {
  setTimeout(() => process.exit(), GRACE_MS).unref();
  await fastify.close();
  process.exit();
});

await fastify.register(await loadApp());

try {
  await fastify.listen({ port, host: process.env.HOST ?? '127.0.0.1' });
} catch (error) {
  console.error(`cannot listen on port ${port}: ${error.message}`);
  process.exit(1);
}

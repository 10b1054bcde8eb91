import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { required } from './environment.js';
import { loadScenario } from './scenario.js';
import { StderrLogger } from './stderr-logger.js';

const GRACE_MS = 1000;

const port = required('PORT');
const { module, options, setUp } = await loadScenario();
const app = await NestFactory.create<NestExpressApplication>(module, {
  ...options,
  logger: new StderrLogger({ colors: false }),
});
app.disable('x-powered-by');
app.disable('etag'); // no other framework of Node.js here hashes its answers unasked
setUp?.(app);

const server = app.getHttpServer();
// Longer than clients and proxies keep idle connections, so that they close first
// and no request meets a connection that is just being closed.
server.keepAliveTimeout = 75_000;

// On SIGTERM Nest lets requests in flight end; a connection that never ends its request is cut.
app.enableShutdownHooks(['SIGTERM']);
process.once('SIGTERM', () => {
  setTimeout(() => server.closeAllConnections(), GRACE_MS).unref();
});

await app.listen(port, process.env.HOST ?? '127.0.0.1');

import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

import { required } from './environment.js';
import { loadScenario } from './scenario.js';
import { StderrLogger } from './stderr-logger.js';

const GRACE_MS = 1000;

const port = required('PORT');
const { module, options, setUp } = await loadScenario();
const app = await NestFactory.create<NestFastifyApplication>(
  module,
  // Longer than clients and proxies keep idle connections, as in the other servers of Node.js.
  new FastifyAdapter({ keepAliveTimeout: 75_000 }),
  { ...options, logger: new StderrLogger({ colors: false }) },
);
await setUp?.(app);

// On SIGTERM Nest lets requests in flight end; a connection that never ends its request is cut.
app.enableShutdownHooks(['SIGTERM']);
process.once('SIGTERM', () => {
  setTimeout(() => app.getHttpServer().closeAllConnections(), GRACE_MS).unref();
});

await app.listen(port, process.env.HOST ?? '127.0.0.1');

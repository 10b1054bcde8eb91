import { NestFactory } from '@nestjs/core';
import { FastifyAdapter, type NestFastifyApplication } from '@nestjs/platform-fastify';

import { required } from './environment.js';
import { loadModule } from './scenario.js';
import { StderrLogger } from './stderr-logger.js';

const GRACE_MS = 1000;

const port = required('PORT');
const app = await NestFactory.create<NestFastifyApplication>(
  await loadModule(),
  // Longer than clients and proxies keep idle connections, as in the other servers of Node.js.
  new FastifyAdapter({ keepAliveTimeout: 75_000 }),
  { logger: new StderrLogger({ colors: false }) },
);

// On SIGTERM Nest lets requests in flight end; a connection that never ends its request is cut.
app.enableShutdownHooks(['SIGTERM']);
process.once('SIGTERM', () => {
  setTimeout(() => app.getHttpServer().closeAllConnections(), GRACE_MS).unref();
});

await app.listen(port, process.env.HOST ?? '127.0.0.1');

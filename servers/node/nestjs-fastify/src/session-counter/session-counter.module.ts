import cookie from '@fastify/cookie';
import session from '@fastify/session';
import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { required } from '../environment.js';
import { PostgresModule } from '../postgres/postgres.module.js';
import { SessionCounterController } from './session-counter.controller.js';
import { TableStore } from './table-store.js';

@Module({
  imports: [PostgresModule],
  controllers: [SessionCounterController],
  providers: [TableStore],
})
export class SessionCounterModule {}

/** Registers the sessions, which are kept in the table. */
export async function setUpSessions(app: NestFastifyApplication): Promise<void> {
  const store: TableStore = app.get(TableStore);
  await app.register(cookie);
  await app.register(session, {
    secret: required('WEBDYNO_SECRET'),
    store,
    saveUninitialized: false,
    cookie: { secure: false },
  });
}

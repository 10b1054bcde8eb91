import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';
import session from 'express-session';

import { required } from '../environment.js';
import { PostgresModule } from '../postgres/postgres.module.js';
import { SessionCounterController } from './session-counter.controller.js';
import { TableStore } from './table-store.js';

@Module({
  imports: [PostgresModule],
  controllers: [SessionCounterController],
  providers: [TableStore],
})
export class SessionCounterModule implements NestModule {
  constructor(private readonly store: TableStore) {}

  configure(consumer: MiddlewareConsumer): void {
    const sessions = session({
      secret: required('WEBDYNO_SECRET'),
      store: this.store,
      resave: false,
      saveUninitialized: false,
    });
    consumer.apply(sessions).forRoutes(SessionCounterController);
  }
}

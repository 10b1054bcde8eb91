import { Module } from '@nestjs/common';

import { PostgresModule } from '../postgres/postgres.module.js';
import { QueriesController } from './queries.controller.js';
import { WorldsService } from './worlds.service.js';

@Module({
  imports: [PostgresModule],
  controllers: [QueriesController],
  providers: [WorldsService],
})
export class QueriesModule {}

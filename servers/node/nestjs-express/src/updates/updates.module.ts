import { Module } from '@nestjs/common';

import { PostgresModule } from '../postgres/postgres.module.js';
import { StockService } from './stock.service.js';
import { UpdatesController } from './updates.controller.js';

@Module({
  imports: [PostgresModule],
  controllers: [UpdatesController],
  providers: [StockService],
})
export class UpdatesModule {}

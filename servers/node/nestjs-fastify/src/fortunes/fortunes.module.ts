import { Module } from '@nestjs/common';

import { PostgresModule } from '../postgres/postgres.module.js';
import { FortunesController } from './fortunes.controller.js';
import { FortunesService } from './fortunes.service.js';

@Module({
  imports: [PostgresModule],
  controllers: [FortunesController],
  providers: [FortunesService],
})
export class FortunesModule {}

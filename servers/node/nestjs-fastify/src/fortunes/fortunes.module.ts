import { fileURLToPath } from 'node:url';

import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import handlebars from 'handlebars';

import { PostgresModule } from '../postgres/postgres.module.js';
import { FortunesController } from './fortunes.controller.js';
import { FortunesService } from './fortunes.service.js';

@Module({
  imports: [PostgresModule],
  controllers: [FortunesController],
  providers: [FortunesService],
})
export class FortunesModule {}

/** Has pages rendered from the folder views by Handlebars. */
export function setUpViews(app: NestFastifyApplication): void {
  app.setViewEngine({
    engine: { handlebars },
    templates: fileURLToPath(new URL('../../views', import.meta.url)),
  });
}

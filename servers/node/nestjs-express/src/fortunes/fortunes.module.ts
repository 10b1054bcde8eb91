import { fileURLToPath } from 'node:url';

import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';

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
export function setUpViews(app: NestExpressApplication): void {
  app.setBaseViewsDir(fileURLToPath(new URL('../../views', import.meta.url)));
  app.setViewEngine('hbs');
  app.set('view options', { layout: false });
}

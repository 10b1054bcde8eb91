import { fileURLToPath } from 'node:url';

import type { NestExpressApplication } from '@nestjs/platform-express';

/** Has pages rendered from the folder views by Handlebars. */
export function setUpViews(app: NestExpressApplication): void {
  app.setBaseViewsDir(fileURLToPath(new URL('../views', import.meta.url)));
  app.setViewEngine('hbs');
  app.set('view options', { layout: false });
}

import { fileURLToPath } from 'node:url';

import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import handlebars from 'handlebars';

/** Has pages rendered from the folder views by Handlebars. */
export function setUpViews(app: NestFastifyApplication): void {
  app.setViewEngine({
    engine: { handlebars },
    templates: fileURLToPath(new URL('../views', import.meta.url)),
  });
}

import { Module } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';

import { required } from '../environment.js';

@Module({})
export class StaticModule {}

/** Has the files of the folder served. */
export function setUpFiles(app: NestExpressApplication): void {
  app.useStaticAssets(required('WEBDYNO_STATIC'));
}

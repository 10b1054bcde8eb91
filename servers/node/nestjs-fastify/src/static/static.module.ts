import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { required } from '../environment.js';

@Module({})
export class StaticModule {}

/** Has the files of the folder served. */
export function setUpFiles(app: NestFastifyApplication): void {
  app.useStaticAssets({ root: required('WEBDYNO_STATIC') });
}

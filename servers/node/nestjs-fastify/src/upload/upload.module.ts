import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { HashService } from './hash.service.js';
import { UploadController } from './upload.controller.js';

@Module({ controllers: [UploadController], providers: [HashService] })
export class UploadModule {}

/** Gives bodies to the controllers as streams, whatever their type. */
export function setUpBodies(app: NestFastifyApplication): void {
  const fastify = app.getHttpAdapter().getInstance();
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
}

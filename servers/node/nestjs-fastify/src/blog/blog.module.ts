import path from 'node:path';

import { Module } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';

import { required } from '../environment.js';
import { BlogController } from './blog.controller.js';
import { PostsService } from './posts.service.js';

@Module({ controllers: [BlogController], providers: [PostsService] })
export class BlogModule {}

/** Has the files beside the page served. */
export function setUpFiles(app: NestFastifyApplication): void {
  app.useStaticAssets({ root: path.join(required('WEBDYNO_BLOG_DATA'), 'static') });
}

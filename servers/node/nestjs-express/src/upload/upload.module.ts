import { Module } from '@nestjs/common';

import { HashService } from './hash.service.js';
import { UploadController } from './upload.controller.js';

@Module({ controllers: [UploadController], providers: [HashService] })
export class UploadModule {}

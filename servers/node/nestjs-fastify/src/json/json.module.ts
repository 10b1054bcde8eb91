import { Module } from '@nestjs/common';

import { JsonController } from './json.controller.js';

@Module({ controllers: [JsonController] })
export class JsonModule {}

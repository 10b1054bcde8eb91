import type { IncomingMessage } from 'node:http';

import { Controller, Header, HttpCode, HttpStatus, Post, Req } from '@nestjs/common';

import { HashService } from './hash.service.js';

@Controller()
export class UploadController {
  constructor(private readonly hashes: HashService) {}

  @Post('upload')
  @HttpCode(HttpStatus.OK)
  @Header('Content-Type', 'text/plain; charset=utf-8')
  upload(@Req() request: IncomingMessage): Promise<string> {
    return this.hashes.of(request);
  }
}

import { Body, Controller, Header, HttpCode, HttpStatus, Post } from '@nestjs/common';

import { HashService } from './hash.service.js';

@Controller()
export class UploadController {
  constructor(private readonly hashes: HashService) {}

  @Post('upload')
  @HttpCode(HttpStatus.OK)
  @Header('Content-Type', 'text/plain; charset=utf-8')
  upload(@Body() body?: AsyncIterable<Buffer>): Promise<string> {
    return this.hashes.of(body ?? noPieces());
  }
}

/** Fastify gives no stream where a body is empty. */
async function* noPieces(): AsyncGenerator<Buffer> {}

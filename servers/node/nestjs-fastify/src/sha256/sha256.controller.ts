import { Controller, Get, Header, Query } from '@nestjs/common';

import { DigestService } from './digest.service.js';
import { RoundsPipe } from './rounds.pipe.js';

@Controller()
export class Sha256Controller {
  constructor(private readonly digests: DigestService) {}

  @Get('benchmark')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  benchmark(@Query('n', RoundsPipe) rounds: number): Promise<string> {
    return this.digests.chain(rounds);
  }
}

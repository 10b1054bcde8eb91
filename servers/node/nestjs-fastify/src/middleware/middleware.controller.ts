import { Controller, Get, Header } from '@nestjs/common';

import { CountsService, type Tally } from './counts.service.js';

@Controller()
export class MiddlewareController {
  constructor(private readonly counts: CountsService) {}

  @Get('hello')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  hello(): string {
    this.counts.receive();
    return 'Hello World';
  }

  @Get('passed')
  passed(): Tally {
    return this.counts.receive();
  }
}

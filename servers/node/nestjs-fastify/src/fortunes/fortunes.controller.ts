import { BadRequestException, Controller, Get, Query, Render } from '@nestjs/common';

import { type Fortune, FortunesService } from './fortunes.service.js';

@Controller()
export class FortunesController {
  constructor(private readonly fortunes: FortunesService) {}

  @Get('fortunes')
  @Render('fortunes.hbs')
  async page(@Query('added') added: unknown): Promise<{ fortunes: Fortune[] }> {
    if (typeof added !== 'string' || added === '') {
      throw new BadRequestException('added must be a text');
    }
    return { fortunes: await this.fortunes.list(added) };
  }
}

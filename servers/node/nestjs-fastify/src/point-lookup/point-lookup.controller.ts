import { Controller, Get, Header, NotFoundException, Query } from '@nestjs/common';

import { LookupService } from './lookup.service.js';

@Controller()
export class PointLookupController {
  constructor(private readonly skus: LookupService) {}

  @Get('sku')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  async sku(@Query('id') id?: string): Promise<string> {
    const found = await this.skus.find(id ?? this.skus.draw());
    if (found === undefined) {
      throw new NotFoundException();
    }
    return found;
  }
}

import { Controller, HttpCode, HttpStatus, Post, Query } from '@nestjs/common';

import { RowCountPipe } from '../postgres/row-count.pipe.js';
import { type Item, StockService } from './stock.service.js';

@Controller()
export class UpdatesController {
  constructor(private readonly stock: StockService) {}

  @Post('updates')
  @HttpCode(HttpStatus.OK)
  updates(@Query('n', RowCountPipe) count: number): Promise<Item[]> {
    return this.stock.countUp(count);
  }
}

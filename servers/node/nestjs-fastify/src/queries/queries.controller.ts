import { Controller, Get, Query } from '@nestjs/common';

import { RowCountPipe } from '../postgres/row-count.pipe.js';
import type { World } from '../postgres/world.js';
import { WorldsService } from './worlds.service.js';

@Controller()
export class QueriesController {
  constructor(private readonly worlds: WorldsService) {}

  @Get('queries')
  queries(@Query('n', RowCountPipe) count: number): Promise<World[]> {
    return this.worlds.draw(count);
  }
}

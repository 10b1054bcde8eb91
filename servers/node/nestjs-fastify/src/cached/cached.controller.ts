import { Controller, Get, Query } from '@nestjs/common';

import { RowCountPipe } from '../postgres/row-count.pipe.js';
import type { World } from '../postgres/world.js';
import { CachedWorldsService } from './cached-worlds.service.js';

@Controller()
export class CachedController {
  constructor(private readonly worlds: CachedWorldsService) {}

  @Get('cached')
  cached(@Query('n', RowCountPipe) count: number): Promise<World[]> {
    return this.worlds.draw(count);
  }
}

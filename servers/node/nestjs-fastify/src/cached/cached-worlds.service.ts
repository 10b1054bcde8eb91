import { CACHE_MANAGER, type Cache } from '@nestjs/cache-manager';
import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';

import { READ_WORLD, type World } from '../postgres/world.js';
import { randomInteger } from '../random.js';

const ROWS = 100;

@Injectable()
export class CachedWorldsService {
  constructor(
    @Inject(CACHE_MANAGER) private readonly cache: Cache,
    private readonly pool: Pool,
  ) {}

  /** `count` rows, each from the cache. Requests that miss a row at the same time share its query. */
  draw(count: number): Promise<World[]> {
    const ids = Array.from({ length: count }, () => randomInteger(1, ROWS));
    return Promise.all(ids.map((id) => this.cache.wrap(String(id), () => this.read(id))));
  }

  private async read(id: number): Promise<World> {
    const { rows } = await this.pool.query<World>({ ...READ_WORLD, values: [id] });
    return rows[0];
  }
}

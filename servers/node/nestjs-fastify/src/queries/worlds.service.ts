import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

import { READ_WORLD, type World } from '../postgres/world.js';
import { randomInteger } from '../random.js';

const ROWS = 10_000;

@Injectable()
export class WorldsService {
  constructor(private readonly pool: Pool) {}

  /** `count` rows, each by a query of its own. */
  draw(count: number): Promise<World[]> {
    return Promise.all(Array.from({ length: count }, () => this.read(randomInteger(1, ROWS))));
  }

  private async read(id: number): Promise<World> {
    const { rows } = await this.pool.query<World>({ ...READ_WORLD, values: [id] });
    return rows[0];
  }
}

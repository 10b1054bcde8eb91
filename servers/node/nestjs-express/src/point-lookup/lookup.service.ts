import { Inject, Injectable } from '@nestjs/common';
import type { Pool, RowDataPacket } from 'mysql2/promise';

import { required } from '../environment.js';
import { MARIADB_POOL } from '../mariadb/mariadb.module.js';
import { randomInteger } from '../random.js';

@Injectable()
export class LookupService {
  private readonly candidates = required('WEBDYNO_SKUS').split(',');

  constructor(@Inject(MARIADB_POOL) private readonly pool: Pool) {}

  /** The sku_id of the row of `id`; undefined where there is no such row. */
  async find(id: string): Promise<string | undefined> {
    // Prepared once a connection.
    const text = 'SELECT sku_id FROM purch_sku_master WHERE sku_id = ?';
    const [rows] = await this.pool.execute<RowDataPacket[]>(text, [id]);
    return rows[0]?.sku_id;
  }

  /** One of the ids that a request without one asks for. */
  draw(): string {
    return this.candidates[randomInteger(0, this.candidates.length - 1)];
  }
}

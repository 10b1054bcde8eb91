import { Injectable } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';

import { randomInteger } from '../random.js';

const ROWS = 10_000;

// A query with a name is prepared once a connection.
const LOCK = { name: 'lock', text: 'SELECT quantity FROM stock WHERE id = $1 FOR UPDATE' };
const WRITE = {
  name: 'write',
  text: `UPDATE stock SET quantity = counted.quantity
    FROM unnest($1::int[], $2::int[]) AS counted (id, quantity) WHERE stock.id = counted.id`,
};

/** A row of the table stock. */
export interface Item {
  id: number;
  quantity: number;
}

@Injectable()
export class StockService {
  constructor(private readonly pool: Pool) {}

  /** Counts `count` different rows up by one, in a transaction. */
  countUp(count: number): Promise<Item[]> {
    const drawn = new Set<number>();
    while (drawn.size < count) {
      drawn.add(randomInteger(1, ROWS));
    }
    // Rows that are always locked in the same order cannot make two transactions wait for each other.
    const ids = [...drawn].sort((a, b) => a - b);
    return this.transaction(async (client) => {
      const items: Item[] = [];
      for (const id of ids) {
        const { rows } = await client.query<{ quantity: number }>({ ...LOCK, values: [id] });
        items.push({ id, quantity: rows[0].quantity + 1 });
      }
      await client.query({ ...WRITE, values: [ids, items.map((item) => item.quantity)] });
      return items;
    });
  }

  private async transaction<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect();
    try {
      await client.query('BEGIN');
      const result = await work(client);
      await client.query('COMMIT');
      return result;
    } catch (error) {
      // Fails as well where the connection broke, which the pool then closes.
      await client.query('ROLLBACK').catch(() => {});
      throw error;
    } finally {
      client.release();
    }
  }
}

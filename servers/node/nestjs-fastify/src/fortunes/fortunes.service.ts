import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';

/** A row of the table fortune. */
export interface Fortune {
  id: number;
  message: string;
}

@Injectable()
export class FortunesService {
  constructor(private readonly pool: Pool) {}

  /** All rows and the one added, sorted by their messages. */
  async list(added: string): Promise<Fortune[]> {
    // With a name, it is prepared once a connection.
    const text = 'SELECT id, message FROM fortune';
    const { rows } = await this.pool.query<Fortune>({ name: 'fortunes', text });
    return [...rows, { id: 0, message: added }].sort((a, b) => (a.message < b.message ? -1 : 1));
  }
}

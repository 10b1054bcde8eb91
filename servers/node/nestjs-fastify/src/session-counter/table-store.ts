import type { SessionStore } from '@fastify/session';
import { Injectable } from '@nestjs/common';
import type { Session } from 'fastify';
import { Pool } from 'pg';

type Done = (error?: unknown) => void;

/**
 * Keeps sessions in the table usersessions: the id in `uid`, everything but the cookie's own
 * settings as JSON in `data`. A query with a name is prepared once a connection.
 */
@Injectable()
export class TableStore implements SessionStore {
  constructor(private readonly pool: Pool) {}

  get(id: string, done: (error: unknown, session?: Session | null) => void): void {
    const text = 'SELECT data FROM usersessions WHERE uid = $1';
    this.pool.query({ name: 'get', text, values: [id] }).then(
      ({ rows: [row] }) => done(null, row && JSON.parse(row.data)),
      (error) => done(error),
    );
  }

  set(id: string, { cookie, ...data }: Session, done: Done): void {
    // @fastify/session does not say whether it has read the row or is the first to write it.
    const text = `INSERT INTO usersessions (uid, data) VALUES ($1, $2)
      ON CONFLICT (uid) DO UPDATE SET data = excluded.data`;
    const values = [id, JSON.stringify(data)];
    this.pool.query({ name: 'set', text, values }).then(() => done(), done);
  }

  destroy(id: string, done: Done): void {
    this.pool.query('DELETE FROM usersessions WHERE uid = $1', [id]).then(() => done(), done);
  }
}

import { Injectable } from '@nestjs/common';
import { Store, type SessionData } from 'express-session';
import { Pool } from 'pg';

type Done = (error?: unknown) => void;

/**
 * Keeps sessions in the table usersessions: the id in `uid`, everything but the cookie's own
 * settings as JSON in `data`. A query with a name is prepared once a connection.
 */
@Injectable()
export class TableStore extends Store {
  constructor(private readonly pool: Pool) {
    super();
  }

  override get(id: string, done: (error: unknown, session?: SessionData | null) => void): void {
    const text = 'SELECT data FROM usersessions WHERE uid = $1';
    this.pool.query({ name: 'get', text, values: [id] }).then(
      ({ rows: [row] }) => done(null, row && { cookie: {}, ...JSON.parse(row.data) }),
      (error) => done(error),
    );
  }

  override set(id: string, { cookie, ...data }: SessionData, done?: Done): void {
    // express-session does not say whether it has read the row or is the first to write it.
    const text = `INSERT INTO usersessions (uid, data) VALUES ($1, $2)
      ON CONFLICT (uid) DO UPDATE SET data = excluded.data`;
    const values = [id, JSON.stringify(data)];
    this.pool.query({ name: 'set', text, values }).then(
      () => done?.(),
      (error) => done?.(error),
    );
  }

  override destroy(id: string, done?: Done): void {
    this.pool.query('DELETE FROM usersessions WHERE uid = $1', [id]).then(
      () => done?.(),
      (error) => done?.(error),
    );
  }
}

/**
 * Keeps sessions of koa-session in the table usersessions: the id in `uid`, JSON in `data`. A query
 * with a name is prepared once a connection.
 */
export class TableStore {
  constructor(pool) {
    this.pool = pool;
  }

  async get(id) {
    const text = 'SELECT data FROM usersessions WHERE uid = $1';
    const { rows } = await this.pool.query({ name: 'get', text, values: [id] });
    return rows.length > 0 ? JSON.parse(rows[0].data) : undefined;
  }

  async set(id, session) {
    // koa-session does not say whether it has read the row or is the first to write it.
    const text = `INSERT INTO usersessions (uid, data) VALUES ($1, $2)
      ON CONFLICT (uid) DO UPDATE SET data = excluded.data`;
    await this.pool.query({ name: 'set', text, values: [id, JSON.stringify(session)] });
  }

  async destroy(id) {
    await this.pool.query('DELETE FROM usersessions WHERE uid = $1', [id]);
  }
}

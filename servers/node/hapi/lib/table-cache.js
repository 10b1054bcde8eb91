const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * A catbox engine that keeps sessions in the table usersessions: the id in `uid`, the session as
 * JSON in `data`. A query with a name is prepared once a connection.
 */
export class TableCache {
  constructor({ pool }) {
    this.pool = pool;
  }

  async start() {}

  async stop() {
    await this.pool.end();
  }

  isReady() {
    return !this.pool.ending;
  }

  validateSegmentName() {
    return null;
  }

  async get({ id }) {
    const text = 'SELECT data FROM usersessions WHERE uid = $1';
    const { rows } = await this.pool.query({ name: 'get', text, values: [id] });
    // The table does not say when a row was written.
    return rows.length ? { item: JSON.parse(rows[0].data), stored: Date.now(), ttl: DAY_MS } : null;
  }

  async set({ id }, value) {
    // catbox does not say whether the key is new.
    const text = `INSERT INTO usersessions (uid, data) VALUES ($1, $2)
      ON CONFLICT (uid) DO UPDATE SET data = excluded.data`;
    await this.pool.query({ name: 'set', text, values: [id, JSON.stringify(value)] });
  }

  async drop({ id }) {
    await this.pool.query('DELETE FROM usersessions WHERE uid = $1', [id]);
  }
}

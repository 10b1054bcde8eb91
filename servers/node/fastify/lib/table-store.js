/**
 * Keeps sessions in the table usersessions: the id in `uid`, everything but the cookie's own
 * settings as JSON in `data`. A query with a name is prepared once a connection.
 */
export class TableStore {
  constructor(pool) {
    this.pool = pool;
  }

  get(id, callback) {
    this.pool
      .query({ name: 'get', text: 'SELECT data FROM usersessions WHERE uid = $1', values: [id] })
      .then(({ rows: [row] }) => callback(null, row && JSON.parse(row.data)), callback);
  }

  set(id, session, callback) {
    // @fastify/session does not say whether it has read the row or is the first to write it.
    const text = `INSERT INTO usersessions (uid, data) VALUES ($1, $2)
      ON CONFLICT (uid) DO UPDATE SET data = excluded.data`;
    const { cookie, ...data } = session;
    this.pool
      .query({ name: 'set', text, values: [id, JSON.stringify(data)] })
      .then(() => callback(), callback);
  }

  destroy(id, callback) {
    this.pool
      .query('DELETE FROM usersessions WHERE uid = $1', [id])
      .then(() => callback(), callback);
  }
}

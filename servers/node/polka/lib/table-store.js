import session from 'express-session';

/**
 * Keeps sessions in the table usersessions: the id in `uid`, everything but the cookie's own
 * settings as JSON in `data`. A query with a name is prepared once a connection.
 */
export class TableStore extends session.Store {
  constructor(pool) {
    super();
    this.pool = pool;
  }

  get(id, callback) {
    this.pool
      .query({ name: 'get', text: 'SELECT data FROM usersessions WHERE uid = $1', values: [id] })
      .then(
        ({ rows: [row] }) => callback(null, row && { cookie: {}, ...JSON.parse(row.data) }),
        callback,
      );
  }

  set(id, { cookie, ...data }, callback) {
    // express-session does not say whether it has read the row or is the first to write it.
    const text = `INSERT INTO usersessions (uid, data) VALUES ($1, $2)
      ON CONFLICT (uid) DO UPDATE SET data = excluded.data`;
    const values = [id, JSON.stringify(data)];
    this.pool.query({ name: 'set', text, values }).then(() => callback?.(), callback);
  }

  destroy(id, callback) {
    this.pool
      .query('DELETE FROM usersessions WHERE uid = $1', [id])
      .then(() => callback?.(), callback);
  }
}

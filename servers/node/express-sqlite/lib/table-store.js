import session from 'express-session';

/**
 * Keeps sessions in the table usersessions: the id in `uid`, everything but the cookie's own
 * settings as JSON in `data`.
 */
export class TableStore extends session.Store {
  constructor(database) {
    super();
    this.select = database.prepare('SELECT data FROM usersessions WHERE uid = ?');
    this.delete = database.prepare('DELETE FROM usersessions WHERE uid = ?');
    // express-session does not say whether it has read the row or is the first to write it.
    this.upsert = database.prepare(`INSERT INTO usersessions (uid, data) VALUES (?, ?)
      ON CONFLICT (uid) DO UPDATE SET data = excluded.data`);
  }

  get(id, callback) {
    const row = this.select.get(id);
    callback(null, row && { cookie: {}, ...JSON.parse(row.data) });
  }

  set(id, { cookie, ...data }, callback) {
    this.upsert.run(id, JSON.stringify(data));
    callback?.();
  }

  destroy(id, callback) {
    this.delete.run(id);
    callback?.();
  }
}

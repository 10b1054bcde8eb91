import { randomUUID } from 'node:crypto';

import session from 'express-session';

import { application } from '../lib/application.js';
import { pool } from '../lib/database.js';
import { required } from '../lib/environment.js';

/**
 * Where the write-up kept each session's id in memory, which a second process and a new start
 * would not know: the id is that of the signed cookie, and nothing is kept.
 */
class IdStore extends session.Store {
  get(id, callback) {
    setImmediate(callback, null, { cookie: {} });
  }

  set(id, data, callback) {
    setImmediate(callback);
  }

  destroy(id, callback) {
    setImmediate(callback);
  }
}

const app = application();

app.use(
  session({
    secret: required('WEBDYNO_SECRET'),
    genid: () => randomUUID(),
    store: new IdStore(),
    resave: false,
    saveUninitialized: true,
  }),
);

// As it was published: the row is read at each visit, and no statement has a name, under which it
// would stay prepared.
app.get('/', async ({ sessionID }, response) => {
  const { rows } = await pool.query('SELECT data FROM usersessions WHERE uid = $1', [sessionID]);
  const data = rows.length > 0 ? JSON.parse(rows[0].data) : { count: 0 };
  data.count += 1;
  await pool.query(
    rows.length > 0
      ? 'UPDATE usersessions SET data = $2 WHERE uid = $1'
      : 'INSERT INTO usersessions (uid, data) VALUES ($1, $2)',
    [sessionID, JSON.stringify(data)],
  );
  response.type('text').send(`Count is ${data.count}`);
});

export default app;

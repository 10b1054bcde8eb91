import { pool } from './database.js';

/** Counts a visit in the row of the session `uid`, which the first visit inserts. */
export async function countVisit(uid) {
  const select = { name: 'select', text: 'SELECT data FROM usersessions WHERE uid = $1' };
  const { rows } = await pool.query({ ...select, values: [uid] });
  if (rows.length === 0) {
    const text = 'INSERT INTO usersessions (uid, data) VALUES ($1, $2)';
    await pool.query({ name: 'insert', text, values: [uid, JSON.stringify({ count: 1 })] });
    return 1;
  }
  const data = JSON.parse(rows[0].data);
  data.count += 1;
  const text = 'UPDATE usersessions SET data = $1 WHERE uid = $2';
  await pool.query({ name: 'update', text, values: [JSON.stringify(data), uid] });
  return data.count;
}

import { signed, verified } from '../lib/cookies.js';
import { postgres } from '../lib/database.js';
import { required } from '../lib/environment.js';

const secret = required('WEBDYNO_SECRET');
const sql = postgres();

/** Counts a visit in the row of the session `uid`, which the first visit inserts. */
async function countVisit(uid) {
  const [row] = await sql`SELECT data FROM usersessions WHERE uid = ${uid}`;
  const data = row ? JSON.parse(row.data) : { count: 0 };
  data.count += 1;
  const text = JSON.stringify(data);
  if (row) {
    await sql`UPDATE usersessions SET data = ${text} WHERE uid = ${uid}`;
  } else {
    await sql`INSERT INTO usersessions (uid, data) VALUES (${uid}, ${text})`;
  }
  return data.count;
}

async function visit({ cookies }) {
  let uid = verified(cookies.get('session'), secret);
  if (uid === undefined) {
    uid = crypto.randomUUID();
    cookies.set('session', signed(uid, secret), { httpOnly: true });
  }
  return new Response(`Count is ${await countVisit(uid)}`);
}

export default {
  '/': { GET: visit },
};

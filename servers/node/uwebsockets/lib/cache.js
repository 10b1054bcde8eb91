import { pool } from './database.js';
import { requiredNumber } from './environment.js';
import { randomInteger } from './random.js';

const ROWS = 100;

// A query with a name is prepared once a connection.
const read = { name: 'read', text: 'SELECT id, randomnumber FROM world WHERE id = $1' };

const ttl = requiredNumber('WEBDYNO_TTL_MS');
const kept = new Map();

/** `count` rows of the table world, each from the cache if it was read no longer than `ttl` ago. */
export function readCached(count) {
  const ids = Array.from({ length: count }, () => randomInteger(1, ROWS));
  const now = performance.now();
  return Promise.all(ids.map((id) => row(id, now)));
}

function row(id, now) {
  const entry = kept.get(id);
  if (entry !== undefined && now < entry.until) {
    return entry.row;
  }
  // The promise is kept first, so that requests which miss the row meanwhile share its query.
  const fresh = { row: readWorld(id), until: now + ttl };
  kept.set(id, fresh);
  fresh.row.then(
    (found) => {
      fresh.row = found;
    },
    () => kept.delete(id),
  );
  return fresh.row;
}

async function readWorld(wanted) {
  const { rows } = await pool.query({ ...read, values: [wanted] });
  const [{ id, randomnumber: randomNumber }] = rows;
  return { id, randomNumber };
}

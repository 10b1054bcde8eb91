import { pool } from './database.js';
import { randomInteger } from './random.js';

const ROWS = 10_000;
const MOST = 500;

// A query with a name is prepared once a connection.
const read = { name: 'read', text: 'SELECT id, randomnumber FROM world WHERE id = $1' };
const fortunes = { name: 'fortunes', text: 'SELECT id, message FROM fortune' };

const drawId = () => randomInteger(1, ROWS);

/** How many rows `text` asks for: 1 to 500. */
export function clamped(text) {
  return /^\d+$/.test(text) ? Math.min(Math.max(Number(text), 1), MOST) : 1;
}

/** `count` rows of the table world, each by a query of its own. */
export function readWorlds(count) {
  const ids = Array.from({ length: count }, drawId);
  return Promise.all(ids.map(readWorld));
}

async function readWorld(wanted) {
  const { rows } = await pool.query({ ...read, values: [wanted] });
  const [{ id, randomnumber: randomNumber }] = rows;
  return { id, randomNumber };
}

/** The rows of the table fortune and the one added, sorted by their messages. */
export async function readFortunes(added) {
  const { rows } = await pool.query(fortunes);
  return [...rows, { id: 0, message: added }].sort((a, b) => (a.message < b.message ? -1 : 1));
}

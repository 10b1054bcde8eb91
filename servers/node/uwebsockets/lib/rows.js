import { pool } from './database.js';
import { randomInteger } from './random.js';

const ROWS = 10_000;
const MOST = 500;

// A query with a name is prepared once a connection.
const read = { name: 'read', text: 'SELECT id, randomnumber FROM world WHERE id = $1' };
const lock = { name: 'lock', text: 'SELECT quantity FROM stock WHERE id = $1 FOR UPDATE' };
const write = {
  name: 'write',
  text: `UPDATE stock SET quantity = counted.quantity
    FROM unnest($1::int[], $2::int[]) AS counted (id, quantity) WHERE stock.id = counted.id`,
};
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

/** Counts `count` different rows of the table stock up by one, in a transaction. */
export async function countItems(count) {
  const drawn = new Set();
  while (drawn.size < count) {
    drawn.add(drawId());
  }
  // Rows that are always locked in the same order cannot make two transactions wait for each other.
  const ids = [...drawn].sort((a, b) => a - b);
  return transaction(async (client) => {
    const items = [];
    for (const id of ids) {
      const { rows } = await client.query({ ...lock, values: [id] });
      items.push({ id, quantity: rows[0].quantity + 1 });
    }
    await client.query({ ...write, values: [ids, items.map((item) => item.quantity)] });
    return items;
  });
}

/** The rows of the table fortune and the one added, sorted by their messages. */
export async function readFortunes(added) {
  const { rows } = await pool.query(fortunes);
  return [...rows, { id: 0, message: added }].sort((a, b) => (a.message < b.message ? -1 : 1));
}

async function transaction(work) {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    // Fails as well where the connection broke, which the pool then closes.
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

import { postgres } from './database.js';
import { randomInteger } from './random.js';

const ROWS = 10_000;
const MOST = 500;

const sql = postgres();
const drawId = () => randomInteger(1, ROWS);

/** How many rows `text` asks for: 1 to 500. */
export function clamped(text) {
  return /^\d+$/.test(text) ? Math.min(Math.max(Number(text), 1), MOST) : 1;
}

/** `count` rows of the table world, each by a query of its own. */
export function readWorlds(count) {
  return Promise.all(Array.from({ length: count }, () => readWorld(drawId())));
}

/** The row of the table world with the id `wanted`. */
export async function readWorld(wanted) {
  const [row] = await sql`SELECT id, randomnumber FROM world WHERE id = ${wanted}`;
  return { id: row.id, randomNumber: row.randomnumber };
}

/** Counts `count` different rows of the table stock up by one, in a transaction. */
export async function countItems(count) {
  const drawn = new Set();
  while (drawn.size < count) {
    drawn.add(drawId());
  }
  // Rows that are always locked in the same order cannot make two transactions wait for each other.
  const ids = [...drawn].sort((a, b) => a - b);
  return sql.begin(async (transaction) => {
    const items = [];
    for (const id of ids) {
      const [row] = await transaction`SELECT quantity FROM stock WHERE id = ${id} FOR UPDATE`;
      items.push({ id, quantity: row.quantity + 1 });
    }
    const quantities = items.map((item) => item.quantity);
    await transaction`UPDATE stock SET quantity = counted.quantity
      FROM unnest(${sql.array(ids, 'INT')}, ${sql.array(quantities, 'INT')})
      AS counted (id, quantity) WHERE stock.id = counted.id`;
    return items;
  });
}

/** The rows of the table fortune and the one added, sorted by their messages. */
export async function readFortunes(added) {
  const rows = await sql`SELECT id, message FROM fortune`;
  return [...rows, { id: 0, message: added }].sort((a, b) => (a.message < b.message ? -1 : 1));
}

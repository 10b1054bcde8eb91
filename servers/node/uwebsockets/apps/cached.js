import { json, later } from '../lib/answer.js';
import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

async function cached(count) {
  const rows = await readCached(count);
  return (response) => json(response, rows);
}

export default (app) =>
  app.get('/cached', later((request) => clamped(request.getQuery('n')), cached));

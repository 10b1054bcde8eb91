import { json, later } from '../lib/answer.js';
import { clamped, readWorlds } from '../lib/rows.js';

async function queries(count) {
  const rows = await readWorlds(count);
  return (response) => json(response, rows);
}

export default (app) =>
  app.get('/queries', later((request) => clamped(request.getQuery('n')), queries));

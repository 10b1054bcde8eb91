import { json, later } from '../lib/answer.js';
import { clamped, countItems } from '../lib/rows.js';

async function updates(count) {
  const items = await countItems(count);
  return (response) => json(response, items);
}

export default (app) =>
  app.post('/updates', later((request) => clamped(request.getQuery('n')), updates));

import { later, text } from '../lib/answer.js';
import { find } from '../lib/lookup.js';

async function lookup(id) {
  const sku = await find(id);
  return (response) =>
    sku === undefined ? text(response, 'Not Found', '404 Not Found') : text(response, sku);
}

const wanted = (request) => new URLSearchParams(request.getQuery()).get('id') ?? undefined;

export default (app) => app.get('/sku', later(wanted, lookup));

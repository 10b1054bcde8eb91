import { find } from '../lib/lookup.js';

async function sku(_request, query) {
  const found = await find(query.get('id') ?? undefined);
  return found === undefined
    ? new Response('Not Found', { status: 404 })
    : new Response(found);
}

export default {
  'GET /sku': sku,
};

import { Elysia } from 'elysia';

import { find } from '../lib/lookup.js';

export default new Elysia().get('/sku', async ({ query, status }) => {
  const sku = await find(query.id);
  return sku ?? status(404, 'no such row');
});

import { Hono } from 'hono';

import { find } from '../lib/lookup.js';

const app = new Hono();

app.get('/sku', async (c) => {
  const sku = await find(c.req.query('id'));
  return sku === undefined ? c.notFound() : c.text(sku);
});

export default app;

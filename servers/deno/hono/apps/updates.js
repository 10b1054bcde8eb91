import { Hono } from 'hono';

import { clamped, countItems } from '../lib/rows.js';

const app = new Hono();

app.post('/updates', async (c) => c.json(await countItems(clamped(c.req.query('n')))));

export default app;

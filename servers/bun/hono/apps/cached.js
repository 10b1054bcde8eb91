import { Hono } from 'hono';

import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

const app = new Hono();

app.get('/cached', async (c) => c.json(await readCached(clamped(c.req.query('n')))));

export default app;

import { Hono } from 'hono';

import { clamped, readWorlds } from '../lib/rows.js';

const app = new Hono();

app.get('/queries', async (c) => c.json(await readWorlds(clamped(c.req.query('n')))));

export default app;

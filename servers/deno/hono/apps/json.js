import { Hono } from 'hono';

import { numbers } from '../lib/random.js';

const app = new Hono();

app.get('/json', (c) => c.json(numbers()));

export default app;

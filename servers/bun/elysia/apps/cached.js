import { Elysia } from 'elysia';

import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

export default new Elysia().get('/cached', ({ query }) => readCached(clamped(query.n)));

import { Elysia } from 'elysia';

import { clamped, countItems } from '../lib/rows.js';

export default new Elysia().post('/updates', ({ query }) => countItems(clamped(query.n)));

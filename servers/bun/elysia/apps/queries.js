import { Elysia } from 'elysia';

import { clamped, readWorlds } from '../lib/rows.js';

export default new Elysia().get('/queries', ({ query }) => readWorlds(clamped(query.n)));

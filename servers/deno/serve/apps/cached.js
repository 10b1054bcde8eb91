import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

export default {
  'GET /cached': async (_request, query) => Response.json(await readCached(clamped(query.get('n')))),
};

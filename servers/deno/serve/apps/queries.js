import { clamped, readWorlds } from '../lib/rows.js';

export default {
  'GET /queries': async (_request, query) => Response.json(await readWorlds(clamped(query.get('n')))),
};

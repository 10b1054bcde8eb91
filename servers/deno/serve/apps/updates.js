import { clamped, countItems } from '../lib/rows.js';

export default {
  'POST /updates': async (_request, query) => Response.json(await countItems(clamped(query.get('n')))),
};

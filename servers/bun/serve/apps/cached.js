import { parameter } from '../lib/answer.js';
import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

async function cached(request) {
  return Response.json(await readCached(clamped(parameter(request, 'n'))));
}

export default {
  '/cached': { GET: cached },
};

import { json } from '../lib/answer.js';
import { readCached } from '../lib/cache.js';
import { router } from '../lib/router.js';
import { clamped } from '../lib/rows.js';

async function cached(request, response, query) {
  json(response, await readCached(clamped(new URLSearchParams(query).get('n'))));
}

export default router({ '/cached': cached });

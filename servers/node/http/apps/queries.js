import { json } from '../lib/answer.js';
import { router } from '../lib/router.js';
import { clamped, readWorlds } from '../lib/rows.js';

async function queries(request, response, query) {
  json(response, await readWorlds(clamped(new URLSearchParams(query).get('n'))));
}

export default router({ '/queries': queries });

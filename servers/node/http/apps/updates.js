import { json } from '../lib/answer.js';
import { router } from '../lib/router.js';
import { clamped, countItems } from '../lib/rows.js';

async function updates(request, response, query) {
  json(response, await countItems(clamped(new URLSearchParams(query).get('n'))));
}

export default router({ '/updates': updates }, { methods: ['POST'] });

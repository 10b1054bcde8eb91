import { html, text } from '../lib/answer.js';
import { router } from '../lib/router.js';
import { readFortunes } from '../lib/rows.js';
import { fortunesView } from '../views/fortunes.js';

async function fortunes(request, response, query) {
  const added = new URLSearchParams(query).get('added');
  if (!added) {
    text(response, 'added must be a text', 400);
    return;
  }
  html(response, fortunesView(await readFortunes(added)));
}

export default router({ '/fortunes': fortunes });

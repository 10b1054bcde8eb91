import { html, later, text } from '../lib/answer.js';
import { readFortunes } from '../lib/rows.js';
import { fortunesView } from '../views/fortunes.js';

async function fortunes(added) {
  if (!added) {
    return (response) => text(response, 'added must be a text', '400 Bad Request');
  }
  const page = fortunesView(await readFortunes(added));
  return (response) => html(response, page);
}

// The raw query: URLSearchParams decodes a plus sign as browsers encode a space.
const added = (request) => new URLSearchParams(request.getQuery()).get('added');

export default (app) => app.get('/fortunes', later(added, fortunes));

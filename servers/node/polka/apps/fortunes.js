import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';
import { HTML, compiled } from '../lib/pages.js';
import { readFortunes } from '../lib/rows.js';

const page = compiled('fortunes');
const app = application();

app.get(
  '/fortunes',
  caught(async (request, response) => {
    const { added } = request.query;
    if (typeof added !== 'string' || added === '') {
      send(response, 400, 'added must be a text');
      return;
    }
    send(response, 200, page({ fortunes: await readFortunes(added) }), HTML);
  }),
);

export default app;

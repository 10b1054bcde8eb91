import { fileURLToPath } from 'node:url';

import { application } from '../lib/application.js';
import { readFortunes } from '../lib/rows.js';

const app = application();
app.set('views', fileURLToPath(new URL('../views', import.meta.url)));
app.set('view engine', 'ejs');

app.get('/fortunes', async (request, response) => {
  const { added } = request.query;
  if (typeof added !== 'string' || added === '') {
    response.status(400).type('text').send('added must be a text');
    return;
  }
  response.render('fortunes', { fortunes: await readFortunes(added) });
});

export default app;

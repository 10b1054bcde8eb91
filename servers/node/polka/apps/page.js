import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';
import { pool } from '../lib/database.js';
import { HTML, compiled } from '../lib/pages.js';

const page = compiled('page');
const app = application();

app.get(
  '/page',
  caught(async (request, response) => {
    // With a name, it is prepared once a connection.
    const text = 'SELECT title, author, summary FROM articles ORDER BY number';
    const { rows } = await pool.query({ name: 'articles', text });
    send(response, 200, page({ articles: rows }), HTML);
  }),
);

export default app;

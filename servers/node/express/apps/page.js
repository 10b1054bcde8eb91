import { fileURLToPath } from 'node:url';

import { application } from '../lib/application.js';
import { pool } from '../lib/database.js';

const app = application();
app.set('views', fileURLToPath(new URL('../views', import.meta.url)));
app.set('view engine', 'ejs');

app.get('/page', async (request, response) => {
  // With a name, it is prepared once a connection.
  const text = 'SELECT title, author, summary FROM articles ORDER BY number';
  const { rows } = await pool.query({ name: 'articles', text });
  response.render('page', { articles: rows });
});

export default app;

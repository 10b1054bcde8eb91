import { html } from '../lib/answer.js';
import { pool } from '../lib/database.js';
import { router } from '../lib/router.js';
import { pageView } from '../views/page.js';

// With a name, it is prepared once a connection.
const articles = {
  name: 'articles',
  text: 'SELECT title, author, summary FROM articles ORDER BY number',
};

async function page(request, response) {
  const { rows } = await pool.query(articles);
  html(response, pageView(rows));
}

export default router({ '/page': page });

import { html, later } from '../lib/answer.js';
import { pool } from '../lib/database.js';
import { pageView } from '../views/page.js';

// With a name, it is prepared once a connection.
const articles = {
  name: 'articles',
  text: 'SELECT title, author, summary FROM articles ORDER BY number',
};

async function front() {
  const { rows } = await pool.query(articles);
  const page = pageView(rows);
  return (response) => html(response, page);
}

export default (app) => app.get('/page', later(() => {}, front));

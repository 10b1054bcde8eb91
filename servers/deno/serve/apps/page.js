import { escapeHTML, page } from '../lib/answer.js';
import { pool } from '../lib/database.js';

const entry = ({ title, author, summary }) => `
    <article class="entry">
      <h2>${escapeHTML(title)}</h2>
      <p class="author">${escapeHTML(author)}</p>
      <p>${escapeHTML(summary)}</p>
    </article>`;

const news = (articles) => `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>The Dynamometer News</title>
</head>
<body>
  <header class="site-header">
    <h1>The Dynamometer News</h1>
  </header>
  <main>${articles.map(entry).join('')}
  </main>
  <footer class="site-footer">
    <p>${articles.length} articles</p>
  </footer>
</body>
</html>
`;

async function show() {
  // With a name, it is prepared once a connection.
  const text = 'SELECT title, author, summary FROM articles ORDER BY number';
  const { rows } = await pool.query({ name: 'articles', text });
  return page(news(rows));
}

export default {
  'GET /page': show,
};

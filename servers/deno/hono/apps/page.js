import { Hono } from 'hono';
import { html } from 'hono/html';

import { pool } from '../lib/database.js';

const app = new Hono();

const entry = ({ title, author, summary }) => html`
    <article class="entry">
      <h2>${title}</h2>
      <p class="author">${author}</p>
      <p>${summary}</p>
    </article>`;

const page = (articles) => html`<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>The Dynamometer News</title>
</head>
<body>
  <header class="site-header">
    <h1>The Dynamometer News</h1>
  </header>
  <main>${articles.map(entry)}
  </main>
  <footer class="site-footer">
    <p>${articles.length} articles</p>
  </footer>
</body>
</html>
`;

app.get('/page', async (c) => {
  // With a name, it is prepared once a connection.
  const text = 'SELECT title, author, summary FROM articles ORDER BY number';
  const { rows } = await pool.query({ name: 'articles', text });
  return c.html(page(rows));
});

export default app;

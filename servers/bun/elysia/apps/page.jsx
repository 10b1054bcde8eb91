import { html, Html } from '@elysiajs/html';

import { application } from '../lib/application.js';
import { pool } from '../lib/database.js';

// A child is escaped where its element says `safe`.
const Entry = ({ title, author, summary }) => (
  <article class="entry">
    <h2 safe>{title}</h2>
    <p class="author" safe>{author}</p>
    <p safe>{summary}</p>
  </article>
);

const Page = ({ articles }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>The Dynamometer News</title>
    </head>
    <body>
      <header class="site-header">
        <h1>The Dynamometer News</h1>
      </header>
      <main>{articles.map((article) => <Entry {...article} />)}</main>
      <footer class="site-footer">
        <p>{articles.length} articles</p>
      </footer>
    </body>
  </html>
);

export default application().use(html()).get('/page', async () => {
  // With a name, it is prepared once a connection.
  const text = 'SELECT title, author, summary FROM articles ORDER BY number';
  const { rows } = await pool.query({ name: 'articles', text });
  return <Page articles={rows} />;
});

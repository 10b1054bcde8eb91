import { escape } from './escape.js';

const entryView = ({ title, author, summary }) => `<article class="entry">
      <h2>${escape(title)}</h2>
      <p class="author">${escape(author)}</p>
      <p>${escape(summary)}</p>
    </article>`;

/** The front page with `articles`, each with its `title`, `author` and `summary`. */
export const pageView = (articles) => `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>The Dynamometer News</title>
</head>
<body>
  <header class="site-header">
    <h1>The Dynamometer News</h1>
  </header>
  <main>
    ${articles.map(entryView).join('\n    ')}
  </main>
  <footer class="site-footer">
    <p>${articles.length} articles</p>
  </footer>
</body>
</html>
`;

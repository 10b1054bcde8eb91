import { escape } from './escape.js';

const paragraphView = (paragraph) => `<p>${escape(paragraph)}</p>`;

const postView = ({ title, image, paragraphs }) => `<article class="post">
      <h2>${escape(title)}</h2>
      <img src="/images/${escape(image.file)}" alt="${escape(image.alt)}">
      ${paragraphs.map(paragraphView).join('\n      ')}
    </article>`;

/** The blog page of `posts`, each with its `title`, `image` and `paragraphs`. */
export const blogView = (posts) => `<!DOCTYPE html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <title>The Dynamometer Blog</title>
  <link rel="stylesheet" href="/css/style.css">
</head>
<body>
  <header class="site-header">
    <h1>The Dynamometer Blog</h1>
    <nav><a href="/blog">Posts</a> <a href="/about">About</a></nav>
  </header>
  <main>
    ${posts.map(postView).join('\n    ')}
  </main>
  <footer class="site-footer">
    <p>Made for measuring: five posts, drawn at random for each request.</p>
  </footer>
</body>
</html>
`;

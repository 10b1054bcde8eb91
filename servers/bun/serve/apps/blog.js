import { page } from '../lib/answer.js';
import { required } from '../lib/environment.js';
import { library } from '../lib/posts.js';

const { escapeHTML } = Bun;
const folder = required('WEBDYNO_BLOG_DATA');
const drawPage = await library(folder);
const name = /^[\w-]+(\.[\w-]+)+$/;

const article = ({ title, image, paragraphs }) => `
    <article class="post">
      <h2>${escapeHTML(title)}</h2>
      <img src="/images/${escapeHTML(image.file)}" alt="${escapeHTML(image.alt)}">
      ${paragraphs.map((text) => `<p>${escapeHTML(text)}</p>`).join('\n      ')}
    </article>`;

const blog = (posts) => `<!DOCTYPE html>
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
  <main>${posts.map(article).join('')}
  </main>
  <footer class="site-footer">
    <p>Made for measuring: five posts, drawn at random for each request.</p>
  </footer>
</body>
</html>
`;

/** Serves the files of a folder, of which none is in a folder within it. */
const files = (part) => async (request) => {
  const asked = request.params.file;
  const file = Bun.file(`${folder}/static/${part}/${asked}`);
  const found = name.test(asked) && (await file.exists());
  return found ? new Response(file) : new Response('Not Found', { status: 404 });
};

export default {
  '/blog': { GET: () => page(blog(drawPage())) },
  '/images/:file': { GET: files('images') },
  '/css/:file': { GET: files('css') },
};

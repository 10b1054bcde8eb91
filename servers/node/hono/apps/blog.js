import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { Hono } from 'hono';
import { html } from 'hono/html';

import { serveStatic } from '../adapter.js';
import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));

const paragraph = (text) => html`
      <p>${text}</p>`;

const article = ({ title, paragraphs, image }) => html`
    <article class="post">
      <h2>${title}</h2>
      <img src="/images/${image.file}" alt="${image.alt}">${paragraphs.map(paragraph)}
    </article>`;

const page = (drawn) => html`<!DOCTYPE html>
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
  <main>${drawn.map(article)}
  </main>
  <footer class="site-footer">
    <p>Made for measuring: five posts, drawn at random for each request.</p>
  </footer>
</body>
</html>
`;

const app = new Hono();

app.get('/blog', (c) =>
  c.html(page(sample(posts, 5).map((post) => ({ ...post, image: pick(images) })))),
);
app.use(serveStatic({ root: path.join(data, 'static') }));

export default app;

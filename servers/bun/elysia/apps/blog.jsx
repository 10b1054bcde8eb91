import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { html, Html } from '@elysiajs/html';
import { staticPlugin } from '@elysiajs/static';

import { application } from '../lib/application.js';
import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));

// A child is escaped where its element says `safe`; of an attribute, only the quotes would be.
const Post = ({ title, image, paragraphs }) => (
  <article class="post">
    <h2 safe>{title}</h2>
    <img src={`/images/${Html.escapeHtml(image.file)}`} alt={Html.escapeHtml(image.alt)} />
    {paragraphs.map((paragraph) => <p safe>{paragraph}</p>)}
  </article>
);

const Page = ({ drawn }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <title>The Dynamometer Blog</title>
      <link rel="stylesheet" href="/css/style.css" />
    </head>
    <body>
      <header class="site-header">
        <h1>The Dynamometer Blog</h1>
        <nav>
          <a href="/blog">Posts</a> <a href="/about">About</a>
        </nav>
      </header>
      <main>{drawn.map((post) => <Post {...post} />)}</main>
      <footer class="site-footer">
        <p>Made for measuring: five posts, drawn at random for each request.</p>
      </footer>
    </body>
  </html>
);

export default application()
  .use(html())
  .use(await staticPlugin({ assets: path.join(data, 'static'), prefix: '/' }))
  .get('/blog', () => (
    <Page drawn={sample(posts, 5).map((post) => ({ ...post, image: pick(images) }))} />
  ));

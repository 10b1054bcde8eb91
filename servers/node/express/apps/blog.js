import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import express from 'express';

import { application } from '../lib/application.js';
import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';
import { blogView } from '../views/blog.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));

const app = application();
app.set('views', fileURLToPath(new URL('../views', import.meta.url)));
app.set('view engine', 'ejs');

const drawn = () => sample(posts, 5).map((post) => ({ ...post, image: pick(images) }));
const files = express.static(path.join(data, 'static'));

// As the frameworks do it that look for a file before they look for a route.
const filesFirst = process.env.FILES === 'first';
if (filesFirst) {
  app.use(files);
}

if (process.env.PAGES === 'strings') {
  app.get('/blog', (request, response) => {
    response.send(blogView(drawn()));
  });
} else {
  app.get('/blog', (request, response) => {
    response.render('blog', { posts: drawn() });
  });
}

if (!filesFirst) {
  app.use(files);
}

export default app;

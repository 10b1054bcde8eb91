import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import express from 'express';

import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));

const app = express();
app.disable('x-powered-by');
app.set('views', fileURLToPath(new URL('../views', import.meta.url)));
app.set('view engine', 'ejs');

app.get('/blog', (request, response) => {
  response.render('blog', {
    posts: sample(posts, 5).map((post) => ({ ...post, image: pick(images) })),
  });
});

app.use(express.static(path.join(data, 'static')));

export default app;

import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';

import mime from 'mime-types';

import { answer, html } from '../lib/answer.js';
import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';
import { blogView } from '../views/blog.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));
const files = path.join(data, 'static');

function blog(response) {
  const drawn = sample(posts, 5).map((post) => ({ ...post, image: pick(images) }));
  html(response, blogView(drawn));
}

// A route for each file, read at the start: they do not change.
export default async function routes(app) {
  app.get('/blog', blog);
  for (const entry of await readdir(files, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) {
      const file = path.join(entry.parentPath, entry.name);
      const content = await readFile(file);
      const type = mime.contentType(entry.name) || 'application/octet-stream';
      app.get(`/${path.relative(files, file)}`, (response) =>
        answer(response, '200 OK', { 'Content-Type': type }, content),
      );
    }
  }
}

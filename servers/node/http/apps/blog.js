import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { html } from '../lib/answer.js';
import { required } from '../lib/environment.js';
import { filesBelow } from '../lib/files.js';
import { pick, sample } from '../lib/random.js';
import { router } from '../lib/router.js';
import { blogView } from '../views/blog.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));

function blog(request, response) {
  const drawn = sample(posts, 5).map((post) => ({ ...post, image: pick(images) }));
  html(response, blogView(drawn));
}

export default router({ '/blog': blog }, { otherwise: filesBelow(path.join(data, 'static')) });

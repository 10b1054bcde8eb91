import { readFile } from 'node:fs/promises';
import path from 'node:path';

import inert from '@hapi/inert';

import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';
import { registerViews } from '../lib/views.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));

export async function register(server) {
  await registerViews(server);
  await server.register(inert);

  server.route([
    {
      method: 'GET',
      path: '/blog',
      handler: (request, h) =>
        h.view('blog', {
          posts: sample(posts, 5).map((post) => ({ ...post, image: pick(images) })),
        }),
    },
    {
      method: 'GET',
      path: '/{path*}',
      handler: { directory: { path: path.join(data, 'static'), index: false } },
    },
  ]);
}

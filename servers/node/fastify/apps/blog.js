import { readFile } from 'node:fs/promises';
import path from 'node:path';

import serve from '@fastify/static';

import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';
import { registerViews } from '../lib/views.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));

export default async function blog(fastify) {
  registerViews(fastify);
  fastify.register(serve, { root: path.join(data, 'static') });

  fastify.get('/blog', async (request, reply) =>
    reply.viewAsync('blog', {
      posts: sample(posts, 5).map((post) => ({ ...post, image: pick(images) })),
    }),
  );
}

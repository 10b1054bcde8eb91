import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import serve from '@fastify/static';
import view from '@fastify/view';
import ejs from 'ejs';

import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));

export default async function blog(fastify) {
  fastify.register(view, {
    engine: { ejs },
    root: fileURLToPath(new URL('../views', import.meta.url)),
    viewExt: 'ejs',
  });
  fastify.register(serve, { root: path.join(data, 'static') });

  fastify.get('/blog', async (request, reply) =>
    reply.viewAsync('blog', {
      posts: sample(posts, 5).map((post) => ({ ...post, image: pick(images) })),
    }),
  );
}

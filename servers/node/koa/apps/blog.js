import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import views from '@koa/ejs';
import Router from '@koa/router';
import Koa from 'koa';
import serve from 'koa-static';

import { required } from '../lib/environment.js';
import { pick, sample } from '../lib/random.js';

const data = required('WEBDYNO_BLOG_DATA');
const posts = JSON.parse(await readFile(path.join(data, 'posts.json'), 'utf8'));
const images = JSON.parse(await readFile(path.join(data, 'images.json'), 'utf8'));

const router = new Router();

router.get('/blog', async (ctx) => {
  await ctx.render('blog', {
    posts: sample(posts, 5).map((post) => ({ ...post, image: pick(images) })),
  });
});

const app = new Koa();
views(app, {
  root: fileURLToPath(new URL('../views', import.meta.url)),
  viewExt: 'ejs',
  layout: false,
});
app.use(router.routes());
app.use(serve(path.join(data, 'static')));

export default app;

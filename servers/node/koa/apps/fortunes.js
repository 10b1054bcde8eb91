import { fileURLToPath } from 'node:url';

import views from '@koa/ejs';
import Router from '@koa/router';
import Koa from 'koa';

import { readFortunes } from '../lib/rows.js';

const router = new Router();

router.get('/fortunes', async (ctx) => {
  const { added } = ctx.query;
  ctx.assert(typeof added === 'string' && added !== '', 400, 'added must be a text');
  await ctx.render('fortunes', { fortunes: await readFortunes(added) });
});

const app = new Koa();
views(app, {
  root: fileURLToPath(new URL('../views', import.meta.url)),
  viewExt: 'ejs',
  layout: false,
});
app.use(router.routes());

export default app;

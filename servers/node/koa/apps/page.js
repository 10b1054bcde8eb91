import { fileURLToPath } from 'node:url';

import views from '@koa/ejs';
import Router from '@koa/router';
import Koa from 'koa';

import { pool } from '../lib/database.js';

const router = new Router();

router.get('/page', async (ctx) => {
  // With a name, it is prepared once a connection.
  const text = 'SELECT title, author, summary FROM articles ORDER BY number';
  const { rows } = await pool.query({ name: 'articles', text });
  await ctx.render('page', { articles: rows });
});

const app = new Koa();
views(app, {
  root: fileURLToPath(new URL('../views', import.meta.url)),
  viewExt: 'ejs',
  layout: false,
});
app.use(router.routes());

export default app;

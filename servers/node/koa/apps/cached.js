import Router from '@koa/router';
import Koa from 'koa';

import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

const router = new Router();

router.get('/cached', async (ctx) => {
  ctx.body = await readCached(clamped(ctx.query.n));
});

export default new Koa().use(router.routes());

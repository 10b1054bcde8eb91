import Router from '@koa/router';
import Koa from 'koa';

import { clamped, countItems } from '../lib/rows.js';

const router = new Router();

router.post('/updates', async (ctx) => {
  ctx.body = await countItems(clamped(ctx.query.n));
});

export default new Koa().use(router.routes());

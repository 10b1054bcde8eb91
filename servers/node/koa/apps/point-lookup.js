import Router from '@koa/router';
import Koa from 'koa';

import { find } from '../lib/lookup.js';

const router = new Router();

router.get('/sku', async (ctx) => {
  const sku = await find(ctx.query.id);
  ctx.assert(sku !== undefined, 404);
  ctx.body = sku;
});

export default new Koa().use(router.routes());

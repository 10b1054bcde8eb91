import Router from '@koa/router';
import Koa from 'koa';

import { clamped, readWorlds } from '../lib/rows.js';

const router = new Router();

router.get('/queries', async (ctx) => {
  ctx.body = await readWorlds(clamped(ctx.query.n));
});

export default new Koa().use(router.routes());

import Router from '@koa/router';
import Koa from 'koa';

import { numbers } from '../lib/random.js';

const router = new Router();

router.get('/json', (ctx) => {
  ctx.body = numbers();
});

export default new Koa().use(router.routes());

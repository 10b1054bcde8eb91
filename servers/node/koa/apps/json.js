import Router from '@koa/router';
import Koa from 'koa';

import { randomInteger } from '../lib/random.js';

const keys = Array.from({ length: 10 }, (_, index) => `Test Number ${index + 1}`);

const router = new Router();

router.get('/json', (ctx) => {
  ctx.body = Object.fromEntries(keys.map((key) => [key, randomInteger(0, 1000)]));
});

export default new Koa().use(router.routes());

import { createHash } from 'node:crypto';

import Router from '@koa/router';
import Koa from 'koa';

const router = new Router();

router.post('/upload', async (ctx) => {
  const hash = createHash('sha256');
  let length = 0;
  for await (const piece of ctx.req) {
    hash.update(piece);
    length += piece.length;
  }
  ctx.body = `sha256:${hash.digest('hex')} ${length}`;
});

export default new Koa().use(router.routes());

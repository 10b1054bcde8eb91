import { Readable } from 'node:stream';

import Router from '@koa/router';
import Koa from 'koa';

import { isTag, pieceCount, pieces } from '../lib/pieces.js';

const router = new Router();

router.get('/stream', (ctx) => {
  const { n, tag } = ctx.query;
  const count = pieceCount(n);
  ctx.assert(count !== undefined && isTag(tag), 400, 'n must be 1 to 65536, tag have 18 digits');
  ctx.type = 'text';
  ctx.body = Readable.from(pieces(count, tag), { objectMode: false });
});

export default new Koa().use(router.routes());

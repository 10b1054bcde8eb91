import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import Router from '@koa/router';
import Koa from 'koa';

import { required } from '../lib/environment.js';

const file = required('WEBDYNO_FILE');
const decimalUpTo100000 = /^([1-9]\d{0,4}|100000)$/;

/** The last of `rounds` digests: SHA-256 of `content` and, from the second on, the one before. */
function digestChain(content, rounds) {
  let digest = createHash('sha256').update(content).digest();
  for (let round = 2; round <= rounds; round += 1) {
    digest = createHash('sha256').update(content).update(digest).digest();
  }
  return digest.toString('hex');
}

const router = new Router();

router.get('/benchmark', async (ctx) => {
  const { n } = ctx.query;
  if (!decimalUpTo100000.test(n)) {
    ctx.throw(400, 'n must be an integer from 1 to 100000');
  }
  ctx.body = digestChain(await readFile(file), Number(n));
});

export default new Koa().use(router.routes());

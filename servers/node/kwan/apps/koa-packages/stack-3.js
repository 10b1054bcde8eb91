import { createWriteStream } from 'node:fs';

import Router from '@koa/router';
import jsonp from 'koa-safe-jsonp';

import { KoaApplication } from '../../kwan/koa.js';
import { accessLog } from '../../lib/access-log.js';
import { required } from '../../lib/environment.js';

const log = createWriteStream(required('WEBDYNO_LOG'), { flags: 'a' });

const router = new Router();

router.get('/hello/:name', async (ctx) => {
  ctx.jsonp = `hello ${ctx.params.name}`;
});

router.get('/sum/:a/:b', async (ctx) => {
  const { a, b } = ctx.params;
  ctx.jsonp = { sum: Number(a) + Number(b) };
});

const app = new KoaApplication();
jsonp(app);
app.use(accessLog(log));
app.use(router.routes());

export default app;

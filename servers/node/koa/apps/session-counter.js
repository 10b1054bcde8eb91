import Router from '@koa/router';
import Koa from 'koa';
import session from 'koa-session';

import { pool } from '../lib/database.js';
import { required } from '../lib/environment.js';
import { TableStore } from '../lib/table-store.js';

const app = new Koa({ keys: [required('WEBDYNO_SECRET')] });
const router = new Router();

router.get('/', (ctx) => {
  ctx.session.count = (ctx.session.count ?? 0) + 1;
  ctx.body = `Count is ${ctx.session.count}`;
});

app.use(session({ key: 'sid', store: new TableStore(pool) }, app)).use(router.routes());

export default app;

import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { bodyParser } from '@koa/bodyparser';
import views from '@koa/ejs';
import { koaPlugin as i18n } from 'i18next-http-middleware';
import CSRF from 'koa-csrf';
import jsonp from 'koa-safe-jsonp';
import session from 'koa-session';
import serve from 'koa-static';

import { KoaApplication } from '../../kwan/koa.js';
import { accessLog } from '../../lib/access-log.js';
import { required, requiredNumber } from '../../lib/environment.js';
import { loadTranslations } from '../../lib/koa-i18next.js';
import { memoryStore } from '../../lib/memory-store.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const data = required('WEBDYNO_STACK_DATA');
const log = createWriteStream(required('WEBDYNO_LOG'), { flags: 'a' });
const translations = await loadTranslations(path.join(data, 'locales'));

const app = new KoaApplication({ keys: [required('WEBDYNO_SECRET')] });

const stack = [
  () => jsonp(app),
  () => app.use(accessLog(log)),
  () => app.use(serve(path.join(data, 'static'))),
  () => app.use(bodyParser()),
  () => app.use(session({ key: 'sid', store: memoryStore(), maxAge: DAY_MS, rolling: true }, app)),
  () => app.use(i18n(translations)),
  () => app.use(new CSRF()),
  () =>
    views(app, {
      root: fileURLToPath(new URL('../../views', import.meta.url)),
      viewExt: 'ejs',
      layout: false,
      writeResp: false,
    }),
];

const depth = requiredNumber('WEBDYNO_STACK_DEPTH');

for (const mount of stack.slice(0, depth)) {
  mount();
}

// Answers with what the middlewares that are there have to say.
app.use(async (ctx) => {
  if (ctx.path !== '/greet') {
    return;
  }
  const answer = { name: ctx.request.body?.name ?? 'World' };
  if (ctx.session) {
    ctx.session.visits = (ctx.session.visits ?? 0) + 1;
    answer.visits = ctx.session.visits;
  }
  if (ctx.t) {
    answer.greeting = ctx.t('greeting', { name: answer.name });
  }
  if (ctx.state._csrf && ctx.method === 'GET') {
    answer.token = ctx.state._csrf;
  }
  if (ctx.render) {
    answer.page = await ctx.render('greeting', { ...answer, language: ctx.language });
  }
  if (depth > 0) {
    ctx.jsonp = answer;
  } else {
    ctx.body = answer;
  }
});

export default app;

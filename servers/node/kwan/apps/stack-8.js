import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { Application } from '../kwan/index.js';
import { body } from '../kwan/middlewares/body.js';
import { csrf } from '../kwan/middlewares/csrf.js';
import { i18n } from '../kwan/middlewares/i18n.js';
import { jsonp } from '../kwan/middlewares/jsonp.js';
import { logger } from '../kwan/middlewares/logger.js';
import { memoryStore } from '../kwan/middlewares/memory-store.js';
import { serve } from '../kwan/middlewares/serve.js';
import { session } from '../kwan/middlewares/session.js';
import { views } from '../kwan/middlewares/views.js';
import { required, requiredNumber } from '../lib/environment.js';
import { loadTranslations } from '../lib/i18next.js';

const data = required('WEBDYNO_STACK_DATA');
const translations = await loadTranslations(path.join(data, 'locales'));

const stack = [
  jsonp(),
  logger(createWriteStream(required('WEBDYNO_LOG'), { flags: 'a' })),
  serve(path.join(data, 'static')),
  body(),
  session({ secret: required('WEBDYNO_SECRET'), store: memoryStore() }),
  i18n(translations),
  csrf(),
  views(fileURLToPath(new URL('../views', import.meta.url))),
];

const app = new Application();

for (const middleware of stack.slice(0, requiredNumber('WEBDYNO_STACK_DEPTH'))) {
  app.use(middleware);
}

// Answers with what the middlewares that are there have to say.
app.use(async (context, next) => {
  const { csrfToken, language, render, req, res, session: mine, t } = context;
  if (req.path !== '/greet') {
    await next();
    return;
  }
  const answer = { name: req.body?.name ?? 'World' };
  if (mine) {
    mine.visits = (mine.visits ?? 0) + 1;
    answer.visits = mine.visits;
  }
  if (t) {
    answer.greeting = t('greeting', { name: answer.name });
  }
  if (csrfToken && req.method === 'GET') {
    answer.token = csrfToken();
  }
  if (render) {
    answer.page = await render('greeting', { ...answer, language });
  }
  res.body = answer;
});

export default app;

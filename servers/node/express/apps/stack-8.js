import { createWriteStream } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { csrfSync } from 'csrf-sync';
import express from 'express';
import session from 'express-session';
import { handle as i18n } from 'i18next-http-middleware';
import createMemoryStore from 'memorystore';
import morgan from 'morgan';

import { application } from '../lib/application.js';
import { required, requiredNumber } from '../lib/environment.js';
import { loadTranslations } from '../lib/i18next.js';

const DAY_MS = 24 * 60 * 60 * 1000;

const data = required('WEBDYNO_STACK_DATA');
const log = createWriteStream(required('WEBDYNO_LOG'), { flags: 'a' });
const translations = await loadTranslations(path.join(data, 'locales'));
const depth = requiredNumber('WEBDYNO_STACK_DEPTH');
const MemoryStore = createMemoryStore(session);

const app = application();

const stack = [
  () => {}, // JSONP is part of Express: `send` below
  () => app.use(morgan('common', { stream: log })),
  () => app.use(express.static(path.join(data, 'static'))),
  () => app.use(express.urlencoded()),
  () =>
    app.use(
      session({
        name: 'sid',
        secret: required('WEBDYNO_SECRET'),
        store: new MemoryStore({ checkPeriod: DAY_MS }),
        cookie: { maxAge: DAY_MS },
        resave: false,
        saveUninitialized: false,
        rolling: true,
      }),
    ),
  () => app.use(i18n(translations)),
  // As long as the tokens of koa-csrf; the default is 256 characters, of which every answer pays.
  () => app.use(csrfSync({ size: 18 }).csrfSynchronisedProtection),
  () => {
    app.set('views', fileURLToPath(new URL('../views', import.meta.url)));
    app.set('view engine', 'ejs');
  },
];

for (const mount of stack.slice(0, depth)) {
  mount();
}

function send(response, answer) {
  if (depth > 0) {
    response.jsonp(answer);
  } else {
    response.json(answer);
  }
}

// Answers with what the middlewares that are there have to say.
app.all('/greet', (request, response, next) => {
  const answer = { name: request.body?.name ?? 'World' };
  if (request.session) {
    request.session.visits = (request.session.visits ?? 0) + 1;
    answer.visits = request.session.visits;
  }
  if (request.t) {
    answer.greeting = request.t('greeting', { name: answer.name });
  }
  if (request.csrfToken && request.method === 'GET') {
    answer.token = request.csrfToken();
  }
  if (depth < stack.length) {
    send(response, answer);
    return;
  }
  response.render('greeting', { ...answer, language: request.language }, (error, page) => {
    if (error) {
      next(error);
    } else {
      send(response, { ...answer, page });
    }
  });
});

export default app;

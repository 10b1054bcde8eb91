import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, test } from 'node:test';

import { createInstance } from 'i18next';

import { body } from '../middlewares/body.js';
import { i18n } from '../middlewares/i18n.js';
import { jsonp } from '../middlewares/jsonp.js';
import { logger } from '../middlewares/logger.js';
import { router } from '../middlewares/router.js';
import { serve } from '../middlewares/serve.js';
import { views } from '../middlewares/views.js';
import { served } from './support.js';

let folder;

before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'kwan-'));
  await writeFile(path.join(folder, 'style.css'), 'p { color: red }');
  await writeFile(path.join(folder, 'page.ejs'), '<b><%= name %></b>');
});

after(() => rm(folder, { recursive: true }));

const answering = (value) => async (context) => {
  context.res.body = value;
};

test('jsonp wraps the answer in a call of the named function', async () => {
  await served([jsonp(), answering({ a: '\u2028' })], async (fetch) => {
    const answer = await fetch('/?callback=go');
    assert.equal(await answer.text(), `/**/ typeof go === 'function' && go({"a":"\\u2028"});`);
    assert.equal(answer.headers.get('content-type'), 'text/javascript; charset=utf-8');
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff');
  });
});

test('jsonp keeps only what can be in a name, and leaves other answers alone', async () => {
  await served([jsonp(), answering('x')], async (fetch) => {
    assert.match(await (await fetch('/?callback=a;b<(c)')).text(), /&& abc\("x"\);$/);
    assert.equal(await (await fetch('/')).text(), 'x');
    assert.equal(await (await fetch('/?callback=()')).text(), 'x');
  });
  await served([jsonp()], async (fetch) => {
    assert.equal((await fetch('/?callback=go')).status, 404);
  });
});

test('the logger writes a line for each answer, errors too', async () => {
  const lines = [];
  const fail = async (context) => context.throw(400, 'bad');
  await served([logger({ write: (line) => lines.push(line) }), fail], async (fetch) => {
    await fetch('/a?b=c', { method: 'POST' });
    await new Promise(setImmediate);
    assert.equal(lines.length, 1);
    assert.match(
      lines[0],
      /^127\.0\.0\.1 - - \[\d\d\/[A-Z][a-z]{2}\/\d{4}:\d\d:\d\d:\d\d \+0000] "POST \/a\?b=c HTTP\/1\.1" 400 3\n$/,
    );
  });
});

test('the router finds a route by method and path, and decodes its parameters', async () => {
  const routes = router();
  routes.get('/users/:id/posts/:post', async ({ res }, parameters) => {
    res.body = parameters;
  });
  routes.post('/users/:id', async ({ res }, { id }) => {
    res.body = `made ${id}`;
  });
  await served([routes.middleware()], async (fetch) => {
    const found = await fetch('/users/J%C3%BCrgen/posts/7?x=/1/2');
    assert.deepEqual(await found.json(), { id: 'Jürgen', post: '7' });
    assert.equal(await (await fetch('/users/5', { method: 'POST' })).text(), 'made 5');
    assert.equal((await fetch('/users/5')).status, 404);
    assert.equal((await fetch('/users/5/posts/')).status, 404);
    assert.equal((await fetch('/users/%E0/posts/1')).status, 400);
    assert.equal((await fetch('/users/1/posts/2', { method: 'HEAD' })).status, 200);
  });
});

test('files are served by their name; the rest is handed on', async () => {
  await served([serve(folder), answering('next')], async (fetch) => {
    const file = await fetch('/style.css');
    assert.equal(await file.text(), 'p { color: red }');
    assert.match(file.headers.get('content-type'), /^text\/css/);
    const head = await fetch('/style.css', { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), '16');
    assert.equal(await (await fetch('/none.css')).text(), 'next');
    assert.equal(await (await fetch('/')).text(), 'next');
    assert.equal(await (await fetch('/%2e%2e/package.json')).text(), 'next');
    assert.equal(await (await fetch('/style.css', { method: 'POST' })).text(), 'next');
  });
});

test('forms and JSON are read; what is malformed is refused', async () => {
  const echo = async ({ req, res }) => {
    res.body = { body: req.body ?? 'unread' };
  };
  await served([body({ limit: '20b' }), echo], async (fetch) => {
    const post = async (type, text) => {
      const answer = await fetch('/', {
        method: 'POST',
        headers: { 'Content-Type': type },
        body: text,
      });
      return answer.ok ? (await answer.json()).body : answer.status;
    };
    const form = 'application/x-www-form-urlencoded';
    assert.deepEqual(await post(form, 'name=A+%26+B'), { name: 'A & B' });
    assert.deepEqual(await post('application/json', '{"n":1}'), { n: 1 });
    assert.equal(await post('text/plain', 'hello'), 'unread');
    assert.equal(await post('application/json', '{"n":'), 400);
    assert.equal(await post(form, 'name=far+more+than+twenty+bytes'), 413);
  });
});

test('the query chooses the language; an unknown one falls back', async () => {
  const i18next = createInstance();
  await i18next.init({
    resources: { en: { translation: { hi: 'Hi' } }, de: { translation: { hi: 'Servus' } } },
    supportedLngs: ['en', 'de'],
    fallbackLng: 'en',
  });
  const greet = async ({ t, res }) => {
    res.body = t('hi');
  };
  await served([i18n(i18next), greet], async (fetch) => {
    for (const [query, text, language] of [
      ['?lang=de', 'Servus', 'de'],
      ['?lang=en', 'Hi', 'en'],
      ['?lang=tlh', 'Hi', 'en'],
      ['', 'Hi', 'en'],
    ]) {
      const answer = await fetch(`/${query}`);
      assert.equal(await answer.text(), text);
      assert.equal(answer.headers.get('content-language'), language);
    }
  });
});

test('templates are rendered, and escape', async () => {
  const page = async ({ render, res }) => {
    res.type = 'html';
    res.body = await render('page', { name: '<Ada>' });
  };
  await served([views(folder), page], async (fetch) => {
    const answers = await Promise.all([fetch('/'), fetch('/')]);
    for (const answer of answers) {
      assert.equal(await answer.text(), '<b>&lt;Ada&gt;</b>');
    }
  });
});

test('a template that could not be read is read again', async () => {
  const page = async ({ render, res }) => {
    res.body = await render('late', { name: 'Ada' });
  };
  await served([views(folder), page], async (fetch, app) => {
    app.on('error', () => {}); // instead of a line on stderr
    assert.equal((await fetch('/')).status, 500);
    await writeFile(path.join(folder, 'late.ejs'), '<%= name %>');
    assert.equal(await (await fetch('/')).text(), 'Ada');
  });
});

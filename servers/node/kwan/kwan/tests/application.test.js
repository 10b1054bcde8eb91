import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { test } from 'node:test';

import { Application } from '../index.js';
import { served } from './support.js';

const answering = (body) => async (context) => {
  context.res.body = body;
};

test('text, bytes, JSON and streams are sent with their type and length', async () => {
  const cases = [
    ['Grüße', 'text/plain; charset=utf-8', 'Grüße', '7'],
    [Buffer.from('abc'), 'application/octet-stream', 'abc', '3'],
    [{ a: [1, null] }, 'application/json; charset=utf-8', '{"a":[1,null]}', '14'],
    [Readable.from(['ab', 'c']), 'application/octet-stream', 'abc', null],
  ];
  for (const [body, type, text, length] of cases) {
    await served([answering(body)], async (fetch) => {
      const answer = await fetch('/');
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('content-type'), type);
      assert.equal(answer.headers.get('content-length'), length);
      assert.equal(await answer.text(), text);
    });
  }
});

test('a type and a status that were set are kept', async () => {
  const teapot = async ({ res }) => {
    res.status = 418;
    res.type = 'html';
    res.body = '<p>short';
  };
  await served([teapot], async (fetch) => {
    const answer = await fetch('/');
    assert.equal(answer.status, 418);
    assert.equal(answer.headers.get('content-type'), 'text/html; charset=utf-8');
  });
});

test('what nobody answers is 404', async () => {
  await served([async (context, next) => next()], async (fetch) => {
    assert.equal((await fetch('/')).status, 404);
  });
});

test('HEAD has the headers of GET and no body', async () => {
  await served([answering('four')], async (fetch) => {
    const answer = await fetch('/', { method: 'HEAD' });
    assert.equal(answer.headers.get('content-length'), '4');
    assert.equal(await answer.text(), '');
  });
});

test('204 has no body', async () => {
  const nothing = async ({ res }) => {
    res.status = 204;
  };
  await served([nothing], async (fetch) => {
    const answer = await fetch('/');
    assert.equal(answer.status, 204);
    assert.equal(await answer.text(), '');
  });
});

test('errors below 500 are told to the client, and their headers dropped', async () => {
  const refuse = async (context) => {
    context.res.set('X-Left', 'over');
    context.throw(403, 'not you');
  };
  await served([refuse], async (fetch) => {
    const answer = await fetch('/');
    assert.equal(answer.status, 403);
    assert.equal(answer.headers.get('x-left'), null);
    assert.equal(await answer.text(), 'not you');
  });
});

test('other errors are emitted with their context, and hidden from the client', async () => {
  const fail = async () => {
    throw new Error('the password is 1234');
  };
  await served([fail], async (fetch, app) => {
    const emitted = once(app, 'error');
    const answer = await fetch('/secret');
    assert.equal(answer.status, 500);
    assert.equal(await answer.text(), 'Internal Server Error');
    const [error, context] = await emitted;
    assert.match(error.message, /1234/);
    assert.equal(context.req.path, '/secret');
  });
});

test('a stream that fails cuts the answer off', async () => {
  const broken = Readable.from(
    (async function* () {
      yield 'first';
      throw new Error('disk gone');
    })(),
  );
  await served([answering(broken)], async (fetch, app) => {
    app.on('error', () => {});
    const answer = await fetch('/').catch((error) => error);
    await assert.rejects(async () => {
      if (answer instanceof Error) {
        throw answer;
      }
      await answer.text();
    });
  });
});

test('the request tells path, query, headers and type', async () => {
  let seen;
  const look = async ({ req, res }) => {
    seen = { path: req.path, q: req.query.get('q'), agent: req.get('X-Agent'), type: req.type };
    req.raw.url = '/other?q=2'; // rewritten on the way
    seen.then = [req.path, req.query.get('q'), req.get('X-None')];
    res.body = '';
  };
  await served([look], async (fetch) => {
    const headers = { 'X-Agent': 'test', 'Content-Type': 'Text/HTML; charset=x' };
    await fetch('/a%20b?q=1', { headers });
    assert.deepEqual(seen, {
      path: '/a%20b',
      q: '1',
      agent: 'test',
      type: 'text/html',
      then: ['/other', '2', ''],
    });
  });
});

test('only functions are middlewares', () => {
  assert.throws(() => new Application().use({}), /must be a function/);
});

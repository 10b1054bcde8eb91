import assert from 'node:assert/strict';
import { test } from 'node:test';

import { csrf } from '../middlewares/csrf.js';
import { memoryStore } from '../middlewares/memory-store.js';
import { session } from '../middlewares/session.js';
import { cookies, served } from './support.js';

const sessions = (more) => session({ secret: 'test', store: memoryStore(), ...more });

const count = async ({ session: mine, res }) => {
  mine.visits = (mine.visits ?? 0) + 1;
  res.body = mine.visits;
};

test('a session lasts from request to request, and is its client’s own', async () => {
  await served([sessions(), count], async (fetch) => {
    const first = await fetch('/');
    assert.equal(await first.json(), 1);
    const headers = { Cookie: cookies(first) };
    assert.equal(await (await fetch('/', { headers })).json(), 2);
    assert.equal(await (await fetch('/', { headers })).json(), 3);
    assert.equal(await (await fetch('/')).json(), 1);
  });
});

test('a cookie that was not signed here, or is unknown, begins a new session', async () => {
  await served([sessions(), count], async (fetch) => {
    const cookie = cookies(await fetch('/'));
    const forged = cookie.slice(0, -1) + (cookie.endsWith('A') ? 'B' : 'A');
    for (const sent of [forged, cookie.split('.')[0], 'sid=', 'sid=.', 'other=1']) {
      assert.equal(await (await fetch('/', { headers: { Cookie: sent } })).json(), 1, sent);
    }
    const other = cookies(await fetch('/'));
    assert.notEqual(other.split('.')[0], cookie.split('.')[0]);
  });
});

test('a session that is too old is gone', async () => {
  await served([sessions({ maxAgeMs: 1 }), count], async (fetch) => {
    const headers = { Cookie: cookies(await fetch('/')) };
    await new Promise((resolve) => setTimeout(resolve, 10));
    assert.equal(await (await fetch('/', { headers })).json(), 1);
  });
});

test('an empty session is not kept, and sets no cookie', async () => {
  const idle = async ({ res }) => {
    res.body = 'idle';
  };
  await served([sessions(), idle], async (fetch) => {
    assert.deepEqual((await fetch('/')).headers.getSetCookie(), []);
  });
});

test('a change needs a token of the same session', async () => {
  const token = async ({ csrfToken, req, res }) => {
    res.body = req.method === 'GET' ? csrfToken() : 'changed';
  };
  await served([sessions(), csrf(), token], async (fetch) => {
    const mine = await fetch('/');
    const other = await fetch('/');
    const headers = { Cookie: cookies(mine) };
    const post = (more) => fetch('/', { method: 'POST', headers: { ...headers, ...more } });
    assert.equal((await post({})).status, 403);
    assert.equal((await post({ 'X-CSRF-Token': 'guessed' })).status, 403);
    assert.equal((await post({ 'X-CSRF-Token': await other.text() })).status, 403);
    const right = await post({ 'X-CSRF-Token': await mine.text() });
    assert.equal(await right.text(), 'changed');
  });
});

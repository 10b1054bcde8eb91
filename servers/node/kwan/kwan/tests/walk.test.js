import assert from 'node:assert/strict';
import { test } from 'node:test';

import { walk } from '../walk.js';

test('middlewares run in order, and what follows next() in the reverse order', async () => {
  const seen = [];
  const around = (name) => async (context, next) => {
    seen.push(`${name} in`);
    await next();
    seen.push(`${name} out`);
  };
  await walk([around('a'), around('b'), async () => seen.push('end')])({});
  assert.deepEqual(seen, ['a in', 'b in', 'end', 'b out', 'a out']);
});

test('all middlewares get the same context', async () => {
  const context = {};
  const same = async (given, next) => {
    assert.equal(given, context);
    await next();
  };
  await walk([same, same])(context);
});

test('a middleware that does not call next() ends the walk', async () => {
  let reached = false;
  await walk([async () => {}, async () => (reached = true)])({});
  assert.equal(reached, false);
});

test('walks of different contexts do not disturb each other', async () => {
  const run = walk([
    async (context, next) => {
      await new Promise((resolve) => setTimeout(resolve, context.delay));
      await next();
    },
    async (context) => (context.reached = true),
  ]);
  const contexts = [{ delay: 5 }, { delay: 1 }, { delay: 3 }];
  await Promise.all(contexts.map(run));
  assert.ok(contexts.every(({ reached }) => reached));
});

test('no middleware at all is fine', async () => {
  await walk([])({});
});

test('what is thrown rejects the walk, thrown at once or later', async () => {
  const boom = () => {
    throw new Error('boom');
  };
  await assert.rejects(walk([boom])({}), /boom/);
  await assert.rejects(walk([async (context, next) => next(), async () => boom()])({}), /boom/);
});

test('a middleware may catch what a later one throws', async () => {
  const context = {};
  await walk([
    async (given, next) => next().catch((error) => (given.caught = error.message)),
    async () => {
      throw new Error('boom');
    },
  ])(context);
  assert.equal(context.caught, 'boom');
});

test('calling next() again after the end is an error', async () => {
  const twice = async (context, next) => {
    await next();
    await next();
  };
  await assert.rejects(walk([twice])({}), /more than once/);
});

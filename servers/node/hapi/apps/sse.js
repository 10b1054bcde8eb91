import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import Boom from '@hapi/boom';
import Joi from 'joi';

// Patterns rather than numbers with their limits: conversion would take "1e3", too.
const query = Joi.object({
  n: Joi.string()
    .pattern(/^([1-9][0-9]{0,3}|10000)$/)
    .required(),
  tag: Joi.string()
    .pattern(/^[0-9]{18}$/)
    .required(),
  gap: Joi.string()
    .pattern(/^([0-9]{1,3}|1000)$/)
    .default('0'),
});
const headers = Joi.object({ 'last-event-id': Joi.string().pattern(/^[0-9]{1,5}$/) }).unknown();

async function* events(last, count, tag, gap) {
  for (let number = last + 1; number <= count; number += 1) {
    if (number > last + 1) {
      // Node writes together what it gets in one turn of its event loop.
      await (gap > 0 ? sleep(gap) : nextTurn());
    }
    const made = Math.round((performance.timeOrigin + performance.now()) * 1000);
    yield `id: ${number}\ndata: ${JSON.stringify({ number, tag, made })}\n\n`;
  }
}

function push(request, h) {
  const { n, tag, gap } = request.query;
  const count = Number(n);
  const last = Number(request.headers['last-event-id'] ?? 0);
  if (last > count) {
    throw Boom.badRequest('Last-Event-ID is beyond the last event');
  }
  if (last === count) {
    return h.response().code(204);
  }
  // hapi takes streams of bytes; one event at a time is made.
  const stream = Readable.from(events(last, count, tag, Number(gap)), {
    objectMode: false,
    highWaterMark: 1,
  });
  return h.response(stream).type('text/event-stream').header('Cache-Control', 'no-cache');
}

export function register(server) {
  server.route({
    method: 'GET',
    path: '/events',
    options: { validate: { query, headers } },
    handler: push,
  });
}

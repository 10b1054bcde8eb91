import { Readable } from 'node:stream';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

// Patterns rather than "integer" with its limits: coercion would take "1e3" and "0x10", too.
const schema = {
  querystring: {
    type: 'object',
    required: ['n', 'tag'],
    properties: {
      n: { type: 'string', pattern: '^([1-9][0-9]{0,3}|10000)$' },
      tag: { type: 'string', pattern: '^[0-9]{18}$' },
      gap: { type: 'string', pattern: '^([0-9]{1,3}|1000)$', default: '0' },
    },
  },
  headers: {
    type: 'object',
    properties: { 'last-event-id': { type: 'string', pattern: '^[0-9]{1,5}$' } },
  },
};

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

async function push(request, reply) {
  const { n, tag, gap } = request.query;
  const count = Number(n);
  const last = Number(request.headers['last-event-id'] ?? 0);
  if (last > count) {
    return reply.code(400).send('Last-Event-ID is beyond the last event');
  }
  if (last === count) {
    return reply.code(204).send();
  }
  return reply
    .type('text/event-stream')
    .header('Cache-Control', 'no-cache')
    .send(Readable.from(events(last, count, tag, Number(gap))));
}

export default async function sse(fastify) {
  fastify.get('/events', { schema }, push);
}

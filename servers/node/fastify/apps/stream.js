import { Readable } from 'node:stream';

import { pieces } from '../lib/pieces.js';

const MOST = 65_536;

// Patterns rather than "integer" with its limits: coercion would take "1e3" and "0x10", too.
const schema = {
  querystring: {
    type: 'object',
    required: ['n', 'tag'],
    properties: {
      n: { type: 'string', pattern: '^[0-9]{1,5}$' },
      tag: { type: 'string', pattern: '^[0-9]{18}$' },
    },
  },
};

async function stream(request, reply) {
  const { n, tag } = request.query;
  const count = Number(n);
  if (count < 1 || count > MOST) {
    return reply.code(400).send(`n must be 1 to ${MOST}`);
  }
  return reply
    .type('text/plain; charset=utf-8')
    .send(Readable.from(pieces(count, tag), { objectMode: false }));
}

export default async function streamed(fastify) {
  fastify.get('/stream', { schema }, stream);
}

import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

// From the schema of the answer Fastify compiles its serialiser.
const schema = {
  response: {
    200: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, randomNumber: { type: 'integer' } },
      },
    },
  },
};

export default async function cached(fastify) {
  fastify.get('/cached', { schema }, async (request) => readCached(clamped(request.query.n)));
}

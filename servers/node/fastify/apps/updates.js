import { clamped, countItems } from '../lib/rows.js';

// From the schema of the answer Fastify compiles its serialiser.
const schema = {
  response: {
    200: {
      type: 'array',
      items: {
        type: 'object',
        properties: { id: { type: 'integer' }, quantity: { type: 'integer' } },
      },
    },
  },
};

export default async function updates(fastify) {
  fastify.post('/updates', { schema }, async (request) => countItems(clamped(request.query.n)));
}

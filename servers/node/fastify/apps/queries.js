import { clamped, readWorlds } from '../lib/rows.js';

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

export default async function queries(fastify) {
  fastify.get('/queries', { schema }, async (request) => readWorlds(clamped(request.query.n)));
}

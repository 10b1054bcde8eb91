import { readFortunes } from '../lib/rows.js';
import { registerViews } from '../lib/views.js';

const schema = {
  querystring: {
    type: 'object',
    required: ['added'],
    properties: { added: { type: 'string', minLength: 1 } },
  },
};

export default async function fortunes(fastify) {
  registerViews(fastify);

  fastify.get('/fortunes', { schema }, async (request, reply) =>
    reply.viewAsync('fortunes', { fortunes: await readFortunes(request.query.added) }),
  );
}

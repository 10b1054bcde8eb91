import { find } from '../lib/lookup.js';

export default async function pointLookup(fastify) {
  fastify.get('/sku', async (request, reply) => {
    const sku = await find(request.query.id);
    return sku === undefined ? reply.callNotFound() : sku;
  });
}

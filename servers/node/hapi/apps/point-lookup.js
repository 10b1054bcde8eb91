import Boom from '@hapi/boom';

import { find } from '../lib/lookup.js';

export function register(server) {
  server.route({
    method: 'GET',
    path: '/sku',
    handler: async (request, h) => {
      const sku = await find(request.query.id);
      if (sku === undefined) {
        throw Boom.notFound();
      }
      return h.response(sku).type('text/plain');
    },
  });
}

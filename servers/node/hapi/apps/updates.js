import { clamped, countItems } from '../lib/rows.js';

export function register(server) {
  server.route({
    method: 'POST',
    path: '/updates',
    handler: (request) => countItems(clamped(request.query.n)),
  });
}

import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

export function register(server) {
  server.route({
    method: 'GET',
    path: '/cached',
    handler: (request) => readCached(clamped(request.query.n)),
  });
}

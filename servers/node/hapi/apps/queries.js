import { clamped, readWorlds } from '../lib/rows.js';

export function register(server) {
  server.route({
    method: 'GET',
    path: '/queries',
    handler: (request) => readWorlds(clamped(request.query.n)),
  });
}

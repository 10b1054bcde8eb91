import inert from '@hapi/inert';

import { required } from '../lib/environment.js';

export async function register(server) {
  await server.register(inert);
  server.route({
    method: 'GET',
    path: '/{path*}',
    handler: { directory: { path: required('WEBDYNO_STATIC'), index: false } },
  });
}

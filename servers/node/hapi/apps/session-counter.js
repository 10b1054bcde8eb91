import { createHash } from 'node:crypto';

import yar from '@hapi/yar';

import { pool } from '../lib/database.js';
import { required } from '../lib/environment.js';
import { TableCache } from '../lib/table-cache.js';

// A cookie's password must have 32 characters or more, which the secret need not have.
const password = createHash('sha256').update(required('WEBDYNO_SECRET')).digest('hex');

export const options = {
  cache: [{ name: 'sessions', provider: { constructor: TableCache, options: { pool } } }],
};

export async function register(server) {
  await server.register({
    plugin: yar,
    options: {
      maxCookieSize: 0, // Sessions are kept in the cache, and the cookie holds the id alone.
      storeBlank: false,
      cache: { cache: 'sessions' },
      cookieOptions: { password, isSecure: false },
    },
  });

  server.route({
    method: 'GET',
    path: '/',
    handler: ({ yar: session }) => {
      const count = (session.get('count') ?? 0) + 1;
      session.set('count', count);
      return `Count is ${count}`;
    },
  });
}

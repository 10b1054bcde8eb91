import cookie from '@fastify/cookie';
import session from '@fastify/session';

import { pool } from '../lib/database.js';
import { required } from '../lib/environment.js';
import { TableStore } from '../lib/table-store.js';

export default async function sessionCounter(fastify) {
  fastify.register(cookie);
  fastify.register(session, {
    secret: required('WEBDYNO_SECRET'),
    store: new TableStore(pool),
    saveUninitialized: false,
    cookie: { secure: false },
  });

  fastify.get('/', async (request) => {
    request.session.count = (request.session.count ?? 0) + 1;
    return `Count is ${request.session.count}`;
  });
}

import serve from '@fastify/static';

import { required } from '../lib/environment.js';

export default async function files(fastify) {
  fastify.register(serve, { root: required('WEBDYNO_STATIC') });
}

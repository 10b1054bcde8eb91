import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

// Fastify's counterpart of a middleware is a hook.
const passThrough = () => async () => {
  passed += 1;
};

export default async function middleware(fastify) {
  for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
    fastify.addHook('onRequest', passThrough());
  }

  fastify.get('/hello', async () => {
    requests += 1;
    return 'Hello World';
  });

  fastify.get('/passed', async () => {
    requests += 1;
    return { requests, passed };
  });
}

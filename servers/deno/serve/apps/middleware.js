import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

// Deno.serve has no middlewares: one is an async function around the next handler.
const passThrough = (next) => async (request, query) => {
  passed += 1;
  return next(request, query);
};

const middlewares = Array(requiredNumber('WEBDYNO_MIDDLEWARE')).fill(passThrough);
const behindAll = (handler) => middlewares.reduce((next, middleware) => middleware(next), handler);

function hello() {
  requests += 1;
  return new Response('Hello World');
}

function told() {
  requests += 1;
  return Response.json({ requests, passed });
}

export default {
  'GET /hello': behindAll(hello),
  'GET /passed': behindAll(told),
};

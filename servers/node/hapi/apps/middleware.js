import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

// hapi's counterpart of a middleware is an extension of the request's lifecycle.
const passThrough = () => (request, h) => {
  passed += 1;
  return h.continue;
};

export function register(server) {
  for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
    server.ext('onRequest', passThrough());
  }

  server.route([
    {
      method: 'GET',
      path: '/hello',
      handler: (request, h) => {
        requests += 1;
        return h.response('Hello World').type('text/plain');
      },
    },
    {
      method: 'GET',
      path: '/passed',
      handler: () => {
        requests += 1;
        return { requests, passed };
      },
    },
  ]);
}

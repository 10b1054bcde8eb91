import { json, text } from '../lib/answer.js';
import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

// What its authors advise in the place of middlewares: a function around the next one. It is not
// async, because the request is gone after the first await.
const passThrough = (next) => (response, request) => {
  passed += 1;
  next(response, request);
};

const middlewares = Array(requiredNumber('WEBDYNO_MIDDLEWARE')).fill(passThrough);
const behindAll = (handler) => middlewares.reduce((next, middleware) => middleware(next), handler);

const hello = behindAll((response) => {
  requests += 1;
  text(response, 'Hello World');
});

const told = behindAll((response) => {
  requests += 1;
  json(response, { requests, passed });
});

export default function routes(app) {
  app.get('/hello', hello);
  app.get('/passed', told);
}

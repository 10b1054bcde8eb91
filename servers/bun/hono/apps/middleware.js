import { Hono } from 'hono';

import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

const passThrough = () => async (c, next) => {
  passed += 1;
  await next();
};

const app = new Hono();

for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
  app.use(passThrough());
}

app.get('/hello', (c) => {
  requests += 1;
  return c.text('Hello World');
});

app.get('/passed', (c) => {
  requests += 1;
  return c.json({ requests, passed });
});

export default app;

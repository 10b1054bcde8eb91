import Koa from 'koa';

import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

const passThrough = () => async (ctx, next) => {
  passed += 1;
  await next();
};

const app = new Koa();

for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
  app.use(passThrough());
}

// Without a router, which Koa does not have of its own and which would be one more middleware.
app.use(async (ctx) => {
  requests += 1;
  if (ctx.path === '/hello') {
    ctx.body = 'Hello World';
  } else if (ctx.path === '/passed') {
    ctx.body = { requests, passed };
  }
});

export default app;

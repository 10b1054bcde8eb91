import Engine from 'trek-engine';

import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

const passThrough = () => async (ctx, next) => {
  passed += 1;
  await next();
};

const app = new Engine();

for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
  app.use(passThrough());
}

app.use(async ({ req, res }) => {
  requests += 1;
  if (req.path === '/hello') {
    res.type = 'text';
    res.body = 'Hello World';
  } else if (req.path === '/passed') {
    res.type = 'json';
    res.body = { requests, passed };
  } else {
    res.status = 404;
    res.type = 'text';
    res.body = 'Not Found';
  }
});

export default app;

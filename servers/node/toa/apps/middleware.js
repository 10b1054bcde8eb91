import Toa from 'toa';

import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

// Toa calls its middlewares one after the other: none of them calls the next.
const passThrough = () =>
  async function () {
    passed += 1;
  };

const app = new Toa();

for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
  app.use(passThrough());
}

app.use(async function () {
  requests += 1;
  if (this.path === '/hello') {
    this.body = 'Hello World';
  } else if (this.path === '/passed') {
    this.body = { requests, passed };
  } else {
    this.status = 404;
  }
});

export default app;

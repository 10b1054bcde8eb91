import { application } from '../lib/application.js';
import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

// Elysia's counterpart of a middleware is a hook of the request's lifecycle.
const passThrough = () => () => {
  passed += 1;
};

const app = application();

for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
  app.onBeforeHandle(passThrough());
}

app.get('/hello', () => {
  requests += 1;
  return 'Hello World';
});

app.get('/passed', () => {
  requests += 1;
  return { requests, passed };
});

export default app;

import { Application } from '../kwan/index.js';
import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

const passThrough = () => async (context, next) => {
  passed += 1;
  await next();
};

const app = new Application();

for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
  app.use(passThrough());
}

app.use(async ({ req, res }) => {
  requests += 1;
  if (req.path === '/hello') {
    res.body = 'Hello World';
  } else if (req.path === '/passed') {
    res.body = { requests, passed };
  }
});

export default app;

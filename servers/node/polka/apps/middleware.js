import send from '@polka/send-type';

import { application } from '../lib/application.js';
import { requiredNumber } from '../lib/environment.js';

let requests = 0;
let passed = 0;

const passThrough = () => (request, response, next) => {
  passed += 1;
  next();
};

const app = application();

for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
  app.use(passThrough());
}

app.get('/hello', (request, response) => {
  requests += 1;
  send(response, 200, 'Hello World');
});

app.get('/passed', (request, response) => {
  requests += 1;
  send(response, 200, { requests, passed });
});

export default app;

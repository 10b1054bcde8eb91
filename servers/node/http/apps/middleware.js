import { json, text } from '../lib/answer.js';
import { requiredNumber } from '../lib/environment.js';
import { router } from '../lib/router.js';

let requests = 0;
let passed = 0;

// The least that a middleware can be in JavaScript: an async function around the next one.
const passThrough = (next) => async (request, response) => {
  passed += 1;
  await next(request, response);
};

let app = router({
  '/hello': (request, response) => {
    requests += 1;
    text(response, 'Hello World');
  },
  '/passed': (request, response) => {
    requests += 1;
    json(response, { requests, passed });
  },
});

for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
  app = passThrough(app);
}

export default app;

import { json } from '../lib/answer.js';
import { randomInteger } from '../lib/random.js';
import { router } from '../lib/router.js';

const keys = Array.from({ length: 10 }, (_, index) => `Test Number ${index + 1}`);

export default router({
  '/json': (request, response) =>
    json(response, Object.fromEntries(keys.map((key) => [key, randomInteger(0, 1000)]))),
});

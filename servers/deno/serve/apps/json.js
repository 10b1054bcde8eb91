import { numbers } from '../lib/random.js';

export default {
  'GET /json': () => Response.json(numbers()),
};

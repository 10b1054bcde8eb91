import { numbers } from '../lib/random.js';

export default {
  '/json': { GET: () => Response.json(numbers()) },
};

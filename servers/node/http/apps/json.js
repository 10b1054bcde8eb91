import { json } from '../lib/answer.js';
import { numbers } from '../lib/random.js';
import { router } from '../lib/router.js';

export default router({
  '/json': (request, response) => json(response, numbers()),
});

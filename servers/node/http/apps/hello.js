import { text } from '../lib/answer.js';
import { router } from '../lib/router.js';

export default router({
  '/hello': (request, response) => text(response, 'Hello World'),
});

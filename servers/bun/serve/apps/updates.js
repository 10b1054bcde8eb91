import { parameter } from '../lib/answer.js';
import { clamped, countItems } from '../lib/rows.js';

async function updates(request) {
  return Response.json(await countItems(clamped(parameter(request, 'n'))));
}

export default {
  '/updates': { POST: updates },
};

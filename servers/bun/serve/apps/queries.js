import { parameter } from '../lib/answer.js';
import { clamped, readWorlds } from '../lib/rows.js';

async function queries(request) {
  return Response.json(await readWorlds(clamped(parameter(request, 'n'))));
}

export default {
  '/queries': { GET: queries },
};

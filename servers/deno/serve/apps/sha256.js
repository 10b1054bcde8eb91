import { readAndDigest, rounds } from '../lib/digests.js';
import { required } from '../lib/environment.js';

const file = required('WEBDYNO_FILE');

async function benchmark(_request, query) {
  const count = rounds(query.get('n'));
  if (count === undefined) {
    return new Response('n must be an integer from 1 to 100000', { status: 400 });
  }
  return new Response(await readAndDigest(file, count));
}

export default {
  'GET /benchmark': benchmark,
};

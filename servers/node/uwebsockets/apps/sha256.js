import { later, text } from '../lib/answer.js';
import { readAndDigest, rounds } from '../lib/digests.js';
import { required } from '../lib/environment.js';

const file = required('WEBDYNO_FILE');

async function benchmark(count) {
  if (count === undefined) {
    return (response) =>
      text(response, 'n must be an integer from 1 to 100000', '400 Bad Request');
  }
  const digest = await readAndDigest(file, count);
  return (response) => text(response, digest);
}

export default (app) =>
  app.get('/benchmark', later((request) => rounds(request.getQuery('n')), benchmark));

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';
import { required } from '../lib/environment.js';

const file = required('WEBDYNO_FILE');
const decimalUpTo100000 = /^([1-9]\d{0,4}|100000)$/;

/** The last of `rounds` digests: SHA-256 of `content` and, from the second on, the one before. */
function digestChain(content, rounds) {
  let digest = createHash('sha256').update(content).digest();
  for (let round = 2; round <= rounds; round += 1) {
    digest = createHash('sha256').update(content).update(digest).digest();
  }
  return digest.toString('hex');
}

const app = application();

app.get(
  '/benchmark',
  caught(async (request, response) => {
    const { n } = request.query;
    if (!decimalUpTo100000.test(n)) {
      send(response, 400, 'n must be an integer from 1 to 100000');
      return;
    }
    send(response, 200, digestChain(await readFile(file), Number(n)));
  }),
);

export default app;

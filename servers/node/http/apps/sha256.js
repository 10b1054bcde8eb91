import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { text } from '../lib/answer.js';
import { required } from '../lib/environment.js';
import { router } from '../lib/router.js';

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

async function benchmark(request, response, query) {
  const n = new URLSearchParams(query).get('n');
  if (!decimalUpTo100000.test(n)) {
    text(response, 'n must be an integer from 1 to 100000', 400);
    return;
  }
  text(response, digestChain(await readFile(file), Number(n)));
}

export default router({ '/benchmark': benchmark });

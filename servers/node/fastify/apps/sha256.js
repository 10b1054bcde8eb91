import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { required } from '../lib/environment.js';

const file = required('WEBDYNO_FILE');

// A pattern rather than "integer" with its limits: coercion would take "1e3" and "0x10", too.
const schema = {
  querystring: {
    type: 'object',
    required: ['n'],
    properties: { n: { type: 'string', pattern: '^([1-9][0-9]{0,4}|100000)$' } },
  },
};

/** The last of `rounds` digests: SHA-256 of `content` and, from the second on, the one before. */
function digestChain(content, rounds) {
  let digest = createHash('sha256').update(content).digest();
  for (let round = 2; round <= rounds; round += 1) {
    digest = createHash('sha256').update(content).update(digest).digest();
  }
  return digest.toString('hex');
}

export default async function sha256(fastify) {
  fastify.get('/benchmark', { schema }, async (request) =>
    digestChain(await readFile(file), Number(request.query.n)),
  );
}

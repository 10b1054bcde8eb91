import { parameter } from '../lib/answer.js';
import { required } from '../lib/environment.js';

const file = required('WEBDYNO_FILE');
const decimalUpTo100000 = /^([1-9]\d{0,4}|100000)$/;

/** The last of `rounds` digests: SHA-256 of `content` and, from the second on, the one before. */
function digestChain(content, rounds) {
  let digest = new Bun.CryptoHasher('sha256').update(content).digest();
  for (let round = 2; round <= rounds; round += 1) {
    digest = new Bun.CryptoHasher('sha256').update(content).update(digest).digest();
  }
  return digest.toHex();
}

async function benchmark(request) {
  const n = parameter(request, 'n');
  if (!decimalUpTo100000.test(n)) {
    return new Response('n must be an integer from 1 to 100000', { status: 400 });
  }
  return new Response(digestChain(await Bun.file(file).bytes(), Number(n)));
}

export default {
  '/benchmark': { GET: benchmark },
};

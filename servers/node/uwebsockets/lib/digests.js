import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

const decimalUpTo100000 = /^([1-9]\d{0,4}|100000)$/;

/** How many rounds `text` asks for; undefined where it is no number of 1 to 100000. */
export function rounds(text) {
  return decimalUpTo100000.test(text) ? Number(text) : undefined;
}

/** The last of `count` digests: SHA-256 of the file and, from the second on, the one before. */
export async function readAndDigest(file, count) {
  const content = await readFile(file);
  let digest = createHash('sha256').update(content).digest();
  for (let round = 2; round <= count; round += 1) {
    digest = createHash('sha256').update(content).update(digest).digest();
  }
  return digest.toString('hex');
}

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { Injectable } from '@nestjs/common';

import { required } from '../environment.js';

@Injectable()
export class DigestService {
  private readonly file = required('WEBDYNO_FILE');

  /** The last of `rounds` digests: SHA-256 of the file and, from the second on, the one before. */
  async chain(rounds: number): Promise<string> {
    const content = await readFile(this.file);
    let digest = createHash('sha256').update(content).digest();
    for (let round = 2; round <= rounds; round += 1) {
      digest = createHash('sha256').update(content).update(digest).digest();
    }
    return digest.toString('hex');
  }
}

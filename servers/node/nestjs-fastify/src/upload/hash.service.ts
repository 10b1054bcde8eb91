import { createHash } from 'node:crypto';

import { Injectable } from '@nestjs/common';

@Injectable()
export class HashService {
  /** The SHA-256 and the length of what `pieces` hold, each hashed as it comes. */
  async of(pieces: AsyncIterable<Buffer>): Promise<string> {
    const hash = createHash('sha256');
    let length = 0;
    for await (const piece of pieces) {
      hash.update(piece);
      length += piece.length;
    }
    return `sha256:${hash.digest('hex')} ${length}`;
  }
}

import { Injectable } from '@nestjs/common';

import { microseconds } from '../clock.js';

const BYTES = 4096;

@Injectable()
export class PiecesService {
  /** `count` pieces, each made when it is asked for. */
  *make(count: number, tag: string): Generator<string> {
    for (let number = 0; number < count; number += 1) {
      const made = String(microseconds()).padStart(16, '0');
      const head = `${String(number).padStart(10, '0')} ${tag} ${made} `;
      yield `${head.padEnd(BYTES - 1, '.')}\n`;
    }
  }
}

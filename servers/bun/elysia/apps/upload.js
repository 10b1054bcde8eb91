import { createHash } from 'node:crypto';

import { application } from '../lib/application.js';

// Without a parser: what is uploaded is bytes, whatever it is said to be.
export default application().post(
  '/upload',
  async ({ request }) => {
    const hash = createHash('sha256');
    let length = 0;
    // There is no body to read where it is empty.
    for await (const piece of request.body ?? []) {
      hash.update(piece);
      length += piece.length;
    }
    return `sha256:${hash.digest('hex')} ${length}`;
  },
  { parse: 'none' },
);

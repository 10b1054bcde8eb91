import { createHash } from 'node:crypto';

import { text } from '../lib/answer.js';
import { router } from '../lib/router.js';

async function upload(request, response) {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of request) {
    hash.update(chunk);
    length += chunk.length;
  }
  text(response, `sha256:${hash.digest('hex')} ${length}`);
}

export default router({ '/upload': upload }, { methods: ['POST'] });

import { createHash } from 'node:crypto';

import { text } from '../lib/answer.js';
import { begin } from '../lib/shutdown.js';

function upload(response) {
  const end = begin();
  const hash = createHash('sha256');
  let length = 0;
  response.onAborted(end);
  response.onData((chunk, isLast) => {
    // Before this returns: the chunk is then gone.
    hash.update(new Uint8Array(chunk));
    length += chunk.byteLength;
    if (isLast) {
      text(response, `sha256:${hash.digest('hex')} ${length}`);
      end();
    }
  });
}

export default (app) => app.post('/upload', upload);

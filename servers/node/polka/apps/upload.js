import { createHash } from 'node:crypto';

import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';

const app = application();

app.post(
  '/upload',
  caught(async (request, response) => {
    const hash = createHash('sha256');
    let length = 0;
    for await (const piece of request) {
      hash.update(piece);
      length += piece.length;
    }
    send(response, 200, `sha256:${hash.digest('hex')} ${length}`);
  }),
);

export default app;

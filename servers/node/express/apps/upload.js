import { createHash } from 'node:crypto';

import { application } from '../lib/application.js';

const app = application();

app.post('/upload', async (request, response) => {
  const hash = createHash('sha256');
  let length = 0;
  for await (const piece of request) {
    hash.update(piece);
    length += piece.length;
  }
  response.type('text').send(`sha256:${hash.digest('hex')} ${length}`);
});

export default app;

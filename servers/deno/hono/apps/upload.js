import { createHash } from 'node:crypto';

import { Hono } from 'hono';

const app = new Hono();

app.post('/upload', async (c) => {
  const hash = createHash('sha256');
  let length = 0;
  // There is no body to read where it is empty.
  for await (const piece of c.req.raw.body ?? []) {
    hash.update(piece);
    length += piece.length;
  }
  return c.text(`sha256:${hash.digest('hex')} ${length}`);
});

export default app;

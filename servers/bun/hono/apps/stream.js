import { Hono } from 'hono';
import { stream } from 'hono/streaming';

import { isTag, pieceCount, pieces } from '../lib/pieces.js';

const app = new Hono();

app.get('/stream', (c) => {
  const count = pieceCount(c.req.query('n'));
  const tag = c.req.query('tag');
  if (count === undefined || !isTag(tag)) {
    return c.text('n must be 1 to 65536, tag have 18 digits', 400);
  }
  c.header('Content-Type', 'text/plain; charset=utf-8');
  return stream(c, async (answer) => {
    for (const piece of pieces(count, tag)) {
      await answer.write(piece); // waits until the client has room for it
      if (answer.aborted) {
        return;
      }
    }
  });
});

export default app;

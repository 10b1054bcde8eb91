import { Hono } from 'hono';

import { readAndDigest, rounds } from '../lib/digests.js';
import { required } from '../lib/environment.js';

const file = required('WEBDYNO_FILE');
const app = new Hono();

app.get('/benchmark', async (c) => {
  const count = rounds(c.req.query('n'));
  if (count === undefined) {
    return c.text('n must be an integer from 1 to 100000', 400);
  }
  return c.text(await readAndDigest(file, count));
});

export default app;

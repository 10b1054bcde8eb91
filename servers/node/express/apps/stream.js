import { application } from '../lib/application.js';
import { isTag, pieceCount, pieces } from '../lib/pieces.js';
import { sendStream } from '../lib/send-stream.js';

const app = application();

app.get('/stream', async (request, response) => {
  const { n, tag } = request.query;
  const count = pieceCount(n);
  response.type('text');
  if (count === undefined || !isTag(tag)) {
    response.status(400).send('n must be 1 to 65536, tag have 18 digits');
    return;
  }
  await sendStream(response, pieces(count, tag), { objectMode: false });
});

export default app;

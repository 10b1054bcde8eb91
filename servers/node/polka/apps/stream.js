import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';
import { isTag, pieceCount, pieces } from '../lib/pieces.js';
import { sendStream } from '../lib/send-stream.js';

const app = application();

app.get(
  '/stream',
  caught(async (request, response) => {
    const { n, tag } = request.query;
    const count = pieceCount(n);
    if (count === undefined || !isTag(tag)) {
      send(response, 400, 'n must be 1 to 65536, tag have 18 digits');
      return;
    }
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    await sendStream(response, pieces(count, tag), { objectMode: false });
  }),
);

export default app;

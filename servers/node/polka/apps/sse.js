import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';
import { events, wantedEvents } from '../lib/events.js';
import { sendStream } from '../lib/send-stream.js';

const app = application();

app.get(
  '/events',
  caught(async (request, response) => {
    const wanted = wantedEvents(request.query, request.headers['last-event-id']);
    if (wanted === undefined) {
      send(response, 400, 'n must be 1 to 10000, tag have 18 digits');
      return;
    }
    if (wanted.last === wanted.count) {
      response.writeHead(204).end();
      return;
    }
    response.setHeader('Content-Type', 'text/event-stream');
    response.setHeader('Cache-Control', 'no-cache');
    await sendStream(response, events(wanted));
  }),
);

export default app;

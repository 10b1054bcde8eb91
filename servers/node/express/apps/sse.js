import { application } from '../lib/application.js';
import { events, wantedEvents } from '../lib/events.js';
import { sendStream } from '../lib/send-stream.js';

const app = application();

app.get('/events', async (request, response) => {
  const wanted = wantedEvents(request.query, request.get('Last-Event-ID'));
  if (wanted === undefined) {
    response.status(400).type('text').send('n must be 1 to 10000, tag have 18 digits');
    return;
  }
  if (wanted.last === wanted.count) {
    response.status(204).end();
    return;
  }
  response.set({ 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' });
  await sendStream(response, events(wanted));
});

export default app;

import { events, wantedEvents } from '../lib/events.js';

function push(request, query) {
  const lastEventId = request.headers.get('last-event-id') ?? undefined;
  const wanted = wantedEvents(Object.fromEntries(query), lastEventId);
  if (wanted === undefined) {
    return new Response('n must be 1 to 10000, tag have 18 digits', { status: 400 });
  }
  if (wanted.last === wanted.count) {
    return new Response(null, { status: 204 });
  }
  const body = ReadableStream.from(events(wanted)).pipeThrough(new TextEncoderStream());
  return new Response(body, {
    headers: { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-cache' },
  });
}

export default {
  'GET /events': push,
};

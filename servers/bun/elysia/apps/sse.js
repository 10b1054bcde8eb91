import { setImmediate as nextTurn } from 'node:timers/promises';

import { sse } from 'elysia';

import { application } from '../lib/application.js';
import { event, wantedEvents } from '../lib/events.js';

export default application().get('/events', async function* ({ query, headers, status }) {
  const wanted = wantedEvents(query, headers['last-event-id']);
  if (wanted === undefined) {
    return status(400, 'n must be 1 to 10000, tag have 18 digits');
  }
  const { last, count, tag, gap } = wanted;
  if (last === count) {
    return status(204, null);
  }
  for (let number = last + 1; number <= count; number += 1) {
    if (number > last + 1) {
      // Bun may write together what it gets in one turn of its event loop.
      await (gap > 0 ? Bun.sleep(gap) : nextTurn());
    }
    yield sse(event(number, tag));
  }
});

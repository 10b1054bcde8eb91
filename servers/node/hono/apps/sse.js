import { setImmediate as nextTurn } from 'node:timers/promises';

import { Hono } from 'hono';
import { streamSSE } from 'hono/streaming';

import { event, wantedEvents } from '../lib/events.js';

const app = new Hono();

app.get('/events', (c) => {
  const wanted = wantedEvents(c.req.query(), c.req.header('Last-Event-ID'));
  if (wanted === undefined) {
    return c.text('n must be 1 to 10000, tag have 18 digits', 400);
  }
  const { last, count, tag, gap } = wanted;
  if (last === count) {
    return c.body(null, 204);
  }
  return streamSSE(c, async (answer) => {
    for (let number = last + 1; number <= count && !answer.aborted; number += 1) {
      if (number > last + 1) {
        // A runtime may write together what it gets in one turn of its event loop.
        await (gap > 0 ? answer.sleep(gap) : nextTurn());
      }
      await answer.writeSSE(event(number, tag));
    }
  });
});

export default app;

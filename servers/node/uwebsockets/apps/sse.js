import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { text } from '../lib/answer.js';
import { event, wantedEvents } from '../lib/events.js';
import { begin } from '../lib/shutdown.js';

async function push(response, { last, count, tag, gap }) {
  let aborted = false;
  let goOn = () => {};
  response.onAborted(() => {
    aborted = true;
    goOn();
  });
  response.onWritable(() => {
    goOn();
    return true;
  });
  response.cork(() => {
    response.writeHeader('Content-Type', 'text/event-stream');
    response.writeHeader('Cache-Control', 'no-cache');
  });
  for (let number = last + 1; number <= count; number += 1) {
    if (number > last + 1) {
      await (gap > 0 ? sleep(gap) : nextTurn());
      if (aborted) {
        return;
      }
    }
    const { id, data } = event(number, tag);
    let room;
    response.cork(() => {
      room = response.write(`id: ${id}\ndata: ${data}\n\n`);
    });
    if (!room) {
      await new Promise((resolve) => {
        goOn = resolve;
      });
      if (aborted) {
        return;
      }
    }
  }
  response.cork(() => response.end());
}

function events(response, request) {
  const query = Object.fromEntries(new URLSearchParams(request.getQuery()));
  const wanted = wantedEvents(query, request.getHeader('last-event-id') || undefined);
  if (wanted === undefined) {
    text(response, 'n must be 1 to 10000, tag have 18 digits', '400 Bad Request');
    return;
  }
  if (wanted.last === wanted.count) {
    response.writeStatus('204 No Content').endWithoutBody();
    return;
  }
  push(response, wanted).finally(begin());
}

export default (app) => app.get('/events', events);

import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';

import { text } from '../lib/answer.js';
import { router } from '../lib/router.js';

const MOST = 10_000;
const LONGEST_MS = 1000;

/** The whole number that `value` is in up to five digits; NaN where it is none. */
function whole(value) {
  return /^\d{1,5}$/.test(value) ? Number(value) : NaN;
}

async function* events(last, count, tag, gap) {
  for (let number = last + 1; number <= count; number += 1) {
    if (number > last + 1) {
      // Node writes together what it gets in one turn of its event loop.
      await (gap > 0 ? sleep(gap) : nextTurn());
    }
    const made = Math.round((performance.timeOrigin + performance.now()) * 1000);
    yield `id: ${number}\ndata: ${JSON.stringify({ number, tag, made })}\n\n`;
  }
}

async function push(request, response, query) {
  const parameters = new URLSearchParams(query);
  const count = whole(parameters.get('n') ?? '');
  const gap = whole(parameters.get('gap') ?? '0');
  const tag = parameters.get('tag') ?? '';
  const last = whole(request.headers['last-event-id'] ?? '0');
  const right = count >= 1 && count <= MOST && gap <= LONGEST_MS && last <= count;
  if (!right || !/^\d{18}$/.test(tag)) {
    text(response, `n must be 1 to ${MOST}, tag have 18 digits`, 400);
    return;
  }
  if (last === count) {
    response.writeHead(204).end();
    return;
  }
  response.setHeader('Content-Type', 'text/event-stream');
  response.setHeader('Cache-Control', 'no-cache');
  try {
    // Each event is written when it is made, and the next is made when the client has room for it.
    await pipeline(Readable.from(events(last, count, tag, gap)), response);
  } catch (error) {
    // A client that goes away in the midst of its events is no fault of ours.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      throw error;
    }
  }
}

export default router({ '/events': push });

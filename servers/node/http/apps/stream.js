import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { text } from '../lib/answer.js';
import { router } from '../lib/router.js';

const BYTES = 4096;
const MOST = 65_536;

function* pieces(count, tag) {
  for (let number = 0; number < count; number += 1) {
    const micros = Math.round((performance.timeOrigin + performance.now()) * 1000);
    const head = `${String(number).padStart(10, '0')} ${tag} ${String(micros).padStart(16, '0')} `;
    yield `${head.padEnd(BYTES - 1, '.')}\n`;
  }
}

async function stream(request, response, query) {
  const parameters = new URLSearchParams(query);
  const n = parameters.get('n') ?? '';
  const tag = parameters.get('tag') ?? '';
  const count = /^\d{1,5}$/.test(n) ? Number(n) : 0;
  if (count < 1 || count > MOST || !/^\d{18}$/.test(tag)) {
    text(response, `n must be 1 to ${MOST}, tag have 18 digits`, 400);
    return;
  }
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  try {
    // Takes the next piece when the response can take it.
    await pipeline(Readable.from(pieces(count, tag), { objectMode: false }), response);
  } catch (error) {
    // A client that goes away in the midst of its answer is no fault of ours.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      throw error;
    }
  }
}

export default router({ '/stream': stream });

import { text } from '../lib/answer.js';
import { isTag, pieceCount, pieces } from '../lib/pieces.js';
import { begin } from '../lib/shutdown.js';

function stream(response, request) {
  const count = pieceCount(request.getQuery('n'));
  const tag = request.getQuery('tag');
  if (count === undefined || !isTag(tag)) {
    text(response, 'n must be 1 to 65536, tag have 18 digits', '400 Bad Request');
    return;
  }
  const end = begin();
  const made = pieces(count, tag);

  // Writes pieces until the client has no room for more, or there are none left.
  function writeOn() {
    let room = true;
    let done = false;
    response.cork(() => {
      while (room && !done) {
        const next = made.next();
        done = next.done;
        if (!done) {
          room = response.write(next.value);
        } else {
          response.end();
        }
      }
    });
    if (done) {
      end();
    }
    return room;
  }

  response.onAborted(end);
  response.onWritable(writeOn);
  response.writeHeader('Content-Type', 'text/plain; charset=utf-8');
  writeOn();
}

export default (app) => app.get('/stream', stream);

import { application } from '../lib/application.js';
import { isTag, pieceCount, pieces } from '../lib/pieces.js';

export default application().get('/stream', function* ({ query, set, status }) {
  const { n, tag } = query;
  const count = pieceCount(n);
  if (count === undefined || !isTag(tag)) {
    return status(400, 'n must be 1 to 65536, tag have 18 digits');
  }
  set.headers['content-type'] = 'text/plain; charset=utf-8';
  yield* pieces(count, tag);
});

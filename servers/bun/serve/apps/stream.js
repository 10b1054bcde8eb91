import { isTag, pieceCount, pieces } from '../lib/pieces.js';

function stream(request) {
  const parameters = new URL(request.url).searchParams;
  const count = pieceCount(parameters.get('n'));
  const tag = parameters.get('tag');
  if (count === undefined || !isTag(tag)) {
    return new Response('n must be 1 to 65536, tag have 18 digits', { status: 400 });
  }
  return new Response(pieces(count, tag), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  });
}

export default {
  '/stream': { GET: stream },
};

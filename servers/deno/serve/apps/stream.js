import { isTag, pieceCount, pieces } from '../lib/pieces.js';

function stream(_request, query) {
  const count = pieceCount(query.get('n'));
  const tag = query.get('tag');
  if (count === undefined || !isTag(tag)) {
    return new Response('n must be 1 to 65536, tag have 18 digits', { status: 400 });
  }
  // The next piece is made when the client has room for it.
  const body = ReadableStream.from(pieces(count, tag)).pipeThrough(new TextEncoderStream());
  return new Response(body, { headers: { 'Content-Type': 'text/plain; charset=utf-8' } });
}

export default {
  'GET /stream': stream,
};

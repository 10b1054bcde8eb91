import { createHash } from 'node:crypto';

async function upload(request) {
  const hash = createHash('sha256');
  let length = 0;
  // There is no body to read where it is empty.
  for await (const piece of request.body ?? []) {
    hash.update(piece);
    length += piece.length;
  }
  return new Response(`sha256:${hash.digest('hex')} ${length}`);
}

export default {
  'POST /upload': upload,
};

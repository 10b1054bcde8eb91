async function upload(request) {
  const hasher = new Bun.CryptoHasher('sha256');
  let length = 0;
  // There is no body to read where it is empty.
  for await (const piece of request.body ?? []) {
    hasher.update(piece);
    length += piece.length;
  }
  return new Response(`sha256:${hasher.digest('hex')} ${length}`);
}

export default {
  '/upload': { POST: upload },
};

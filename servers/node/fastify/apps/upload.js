import { createHash } from 'node:crypto';

export default async function upload(fastify) {
  // What is uploaded is bytes, whatever it is said to be: the handler gets it as a stream.
  fastify.removeAllContentTypeParsers();
  fastify.addContentTypeParser('*', (request, payload, done) => done(null, payload));

  fastify.post('/upload', async (request) => {
    const hash = createHash('sha256');
    let length = 0;
    // There is no body to read where it is empty.
    for await (const piece of request.body ?? []) {
      hash.update(piece);
      length += piece.length;
    }
    return `sha256:${hash.digest('hex')} ${length}`;
  });
}

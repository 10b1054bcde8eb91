import { createHash } from 'node:crypto';

const LARGEST = 64 * 1024 * 1024;

export function register(server) {
  server.route({
    method: 'POST',
    path: '/upload',
    // What is uploaded is bytes, whatever it is said to be: the handler gets it as a stream.
    options: { payload: { output: 'stream', parse: false, maxBytes: LARGEST } },
    handler: async (request, h) => {
      const hash = createHash('sha256');
      let length = 0;
      for await (const piece of request.payload) {
        hash.update(piece);
        length += piece.length;
      }
      return h.response(`sha256:${hash.digest('hex')} ${length}`).type('text/plain');
    },
  });
}

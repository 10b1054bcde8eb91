import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Writes each part when it is made; the next is made when the client has room for it. */
export async function sendStream(response, parts, options) {
  try {
    await pipeline(Readable.from(parts, options), response);
  } catch (error) {
    // A client that goes away in the midst of its answer is no fault of ours.
    if (error.code !== 'ERR_STREAM_PREMATURE_CLOSE') {
      throw error;
    }
  }
}

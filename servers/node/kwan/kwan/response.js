import { Stream } from 'node:stream';
import { pipeline } from 'node:stream/promises';

const types = {
  text: 'text/plain; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  bin: 'application/octet-stream',
};

const withoutBody = new Set([204, 205, 304]);

/** What is answered: middlewares set it, and the application sends it when all have returned. */
export class Response {
  constructor(raw) {
    this.raw = raw;
    /** A string, a Buffer, a readable stream, or a value to be sent as JSON; undefined for none. */
    this.body = undefined;
    /** The status; left alone, it is 200 with a body and 404 without. */
    this.status = undefined;
  }

  get(name) {
    return this.raw.getHeader(name);
  }

  set(name, value) {
    this.raw.setHeader(name, value);
  }

  append(name, value) {
    this.raw.appendHeader(name, value);
  }

  remove(name) {
    this.raw.removeHeader(name);
  }

  /** The Content-Type: one of the short names above, or a media type in full. */
  set type(type) {
    this.set('Content-Type', types[type] ?? type);
  }

  get type() {
    return this.get('Content-Type') ?? '';
  }

  /** Whether a middleware has answered by itself, past this object. */
  get answered() {
    return this.raw.headersSent || this.raw.writableEnded;
  }

  /** Sends the answer. Resolves when a stream is through; other bodies are handed over at once. */
  async send(method) {
    const { raw } = this;
    if (this.body === undefined && this.status === undefined) {
      this.status = 404;
    }
    raw.statusCode = this.status ?? 200;
    if (withoutBody.has(raw.statusCode)) {
      raw.end();
      return;
    }
    if (this.body instanceof Stream) {
      await this.#stream(method);
      return;
    }
    const bytes = this.#bytes();
    if (!raw.hasHeader('Content-Length')) {
      this.set('Content-Length', Buffer.byteLength(bytes));
    }
    raw.end(method === 'HEAD' ? undefined : bytes);
  }

  #bytes() {
    const { body, raw } = this;
    if (typeof body === 'string') {
      this.#default('text');
      return body;
    }
    if (Buffer.isBuffer(body)) {
      this.#default('bin');
      return body;
    }
    if (body === undefined) {
      this.#default('text');
      return `${raw.statusCode}\n`;
    }
    this.#default('json');
    return JSON.stringify(body);
  }

  async #stream(method) {
    this.#default('bin');
    if (method === 'HEAD') {
      this.body.destroy();
      this.raw.end();
      return;
    }
    await pipeline(this.body, this.raw);
  }

  #default(type) {
    if (!this.raw.hasHeader('Content-Type')) {
      this.type = type;
    }
  }
}

/** What the client asked: a view of node:http's request, each part computed when it is asked for. */
export class Request {
  #url;
  #query;

  constructor(raw) {
    this.raw = raw;
    this.body = undefined; // a middleware's to fill
  }

  get method() {
    return this.raw.method;
  }

  get url() {
    return this.raw.url;
  }

  /** The path, not decoded. */
  get path() {
    return this.#parts().path;
  }

  /** What follows the question mark, not decoded. */
  get querystring() {
    return this.#parts().querystring;
  }

  /** The parameters of the query, as URLSearchParams. */
  get query() {
    this.#query ??= new URLSearchParams(this.querystring);
    return this.#query;
  }

  /** The value of a header; '' where the client did not send it. */
  get(name) {
    return this.raw.headers[name.toLowerCase()] ?? '';
  }

  /** The media type of the body, without its parameters. */
  get type() {
    return this.get('Content-Type').split(';', 1)[0].trim().toLowerCase();
  }

  #parts() {
    // The URL may be rewritten on the way, so what was computed is kept with its URL.
    if (this.#url?.whole !== this.raw.url) {
      const whole = this.raw.url;
      const mark = whole.indexOf('?');
      this.#query = undefined;
      this.#url =
        mark < 0
          ? { whole, path: whole, querystring: '' }
          : { whole, path: whole.slice(0, mark), querystring: whole.slice(mark + 1) };
    }
    return this.#url;
  }
}

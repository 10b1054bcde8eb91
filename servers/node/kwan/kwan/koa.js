import querystring from 'node:querystring';

import accepts from 'accepts';
import Cookies from 'cookies';
import { contentType } from 'mime-types';

import { Application } from './application.js';

/** What Koa's middlewares see as `ctx.request`: a view of kwan's request. */
class KoaRequest {
  #query;

  constructor(request) {
    this.kwan = request;
    this.req = request.raw;
    this.body = undefined; // a middleware's to fill
  }

  get headers() {
    return this.req.headers;
  }

  get query() {
    this.#query ??= querystring.parse(this.kwan.querystring);
    return this.#query;
  }

  get(name) {
    return this.kwan.get(name);
  }
}

/** What Koa's middlewares see as `ctx`: a view of kwan's context, which stays what it is. */
class KoaContext {
  #cookies;

  begin(app, context) {
    this.app = app;
    this.kwan = context;
    this.req = context.req.raw;
    this.res = context.res.raw;
    this.request = new KoaRequest(context.req);
    this.response = context.res;
    this.state = context.state;
    return this;
  }

  get method() {
    return this.kwan.req.method;
  }

  get url() {
    return this.kwan.req.url;
  }

  get path() {
    return this.kwan.req.path;
  }

  get query() {
    return this.request.query;
  }

  get headers() {
    return this.req.headers;
  }

  get cookies() {
    this.#cookies ??= new Cookies(this.req, this.res, { keys: this.app.keys, secure: false });
    return this.#cookies;
  }

  get status() {
    return this.kwan.res.status ?? (this.kwan.res.body === undefined ? 404 : 200);
  }

  set status(status) {
    this.kwan.res.status = status;
  }

  get body() {
    return this.kwan.res.body;
  }

  set body(body) {
    this.kwan.res.body = body;
  }

  get type() {
    return this.kwan.res.type.split(';', 1)[0].trim();
  }

  set type(type) {
    this.kwan.res.set('Content-Type', contentType(type));
  }

  get(name) {
    return this.kwan.req.get(name);
  }

  set(name, value) {
    this.kwan.res.set(name, value);
  }

  throw(status, message) {
    this.kwan.throw(status, message);
  }

  acceptsEncodings(...encodings) {
    return accepts(this.req).encodings(...encodings);
  }
}

/**
 * An application of kwan whose middlewares are Koa's: the core is kwan's, and so are request, response
 * and the way from one middleware to the next.
 *
 * `context` is what each `ctx` inherits from; packages put their own properties there, as on Koa's.
 */
export class KoaApplication extends Application {
  constructor({ keys } = {}) {
    super();
    this.keys = keys;
    const app = this;
    this.Context = class extends KoaContext {
      constructor(context) {
        super();
        this.begin(app, context);
      }
    };
    this.context = this.Context.prototype;
  }

  use(middleware) {
    return super.use((context, next) => {
      context.koa ??= new this.Context(context);
      return middleware(context.koa, next);
    });
  }
}

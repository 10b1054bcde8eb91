import { HttpError } from './http-error.js';
import { Request } from './request.js';
import { Response } from './response.js';

/**
 * What the middlewares of one request share: its request, its response, and what they leave for each
 * other in `state`. It delegates nothing: the body is `context.res.body` and has no second name.
 */
export class Context {
  constructor(app, rawRequest, rawResponse) {
    this.app = app;
    this.req = new Request(rawRequest);
    this.res = new Response(rawResponse);
    this.state = {};
  }

  /** Ends the request with an error status. */
  throw(status, message) {
    throw new HttpError(status, message);
  }
}

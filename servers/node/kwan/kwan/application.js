import { EventEmitter } from 'node:events';
import { createServer, STATUS_CODES } from 'node:http';

import { Context } from './context.js';
import { walk } from './walk.js';

/**
 * A web application: middlewares `async (context, next) => …` in the order of their `use`.
 *
 * Errors that are the server's own are emitted as `error`, with the context; they are written to
 * stderr where nobody listens.
 */
export class Application extends EventEmitter {
  middlewares = [];

  /** Adds a middleware, and gives the application back. */
  use(middleware) {
    if (typeof middleware !== 'function') {
      throw new TypeError(`a middleware must be a function, not ${typeof middleware}`);
    }
    this.middlewares.push(middleware);
    return this;
  }

  /** A listener for the requests of a node:http server. */
  listener() {
    const run = walk([...this.middlewares]);

    return (rawRequest, rawResponse) => this.#answer(run, new Context(this, rawRequest, rawResponse));
  }

  /** Starts a server; takes what `listen` of a node:http server takes. */
  listen(...where) {
    return createServer(this.listener()).listen(...where);
  }

  async #answer(run, context) {
    try {
      await run(context);
      if (!context.res.answered) {
        await context.res.send(context.req.method);
      }
    } catch (error) {
      this.#fail(context, error);
    }
  }

  #fail(context, error) {
    const status = error.status >= 400 && error.status < 600 ? error.status : 500;
    if (status >= 500) {
      this.#report(error, context);
    }
    const { raw } = context.res;
    if (context.res.answered) {
      raw.destroy();
      return;
    }
    for (const name of raw.getHeaderNames()) {
      raw.removeHeader(name);
    }
    context.res.status = status;
    context.res.body = status < 500 ? error.message : STATUS_CODES[status];
    context.res.send(context.req.method);
  }

  #report(error, context) {
    if (this.listenerCount('error') > 0) {
      this.emit('error', error, context);
    } else {
      console.error(error);
    }
  }
}

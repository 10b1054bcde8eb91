import { begin, isStopping } from './shutdown.js';

/** Ends `response` with `body`; uWebSockets.js adds its Content-Length. */
export function answer(response, status, headers, body) {
  response.cork(() => {
    response.writeStatus(status);
    for (const [name, value] of Object.entries(headers)) {
      response.writeHeader(name, value);
    }
    response.end(body, isStopping());
  });
}

/** Answers with plain text. */
export function text(response, body, status = '200 OK', headers = {}) {
  answer(response, status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, body);
}

/** Answers 200 with a page. */
export function html(response, body) {
  answer(response, '200 OK', { 'Content-Type': 'text/html; charset=utf-8' }, body);
}

/** Answers 200 with `value` as JSON. */
export function json(response, value) {
  answer(response, '200 OK', { 'Content-Type': 'application/json' }, JSON.stringify(value));
}

/**
 * A handler of requests that are not answered at once.
 *
 * `prepare` takes what it needs from `request`, which is gone after the first await, and `work` does
 * the rest; it returns the function that answers. That is not called where the client has left,
 * because `response` is gone then, too. What fails is answered 500.
 */
export function later(prepare, work) {
  return async (response, request) => {
    let aborted = false;
    response.onAborted(() => {
      aborted = true;
    });
    const end = begin();
    let reply;
    try {
      reply = await work(prepare(request));
    } catch (error) {
      console.error(error);
      reply = () => text(response, 'Internal Server Error', '500 Internal Server Error');
    }
    if (!aborted) {
      reply(response);
    }
    end();
  };
}

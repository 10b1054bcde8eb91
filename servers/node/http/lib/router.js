import { text } from './answer.js';

function notFound(request, response) {
  text(response, 'Not Found', 404);
}

/**
 * A request listener that finds the handler of a request by its path.
 *
 * `routes` maps paths to handlers `(request, response, query)`, `query` being the undecoded
 * query string; `otherwise` takes the other paths. A method that is none of `methods` is answered
 * with 405, and a handler that throws or rejects with 500.
 */
export function router(routes, { otherwise = notFound, methods = ['GET', 'HEAD'] } = {}) {
  const handlers = new Map(Object.entries(routes));

  return async (request, response) => {
    try {
      const [path, query] = request.url.split('?', 2);
      const handler = handlers.get(path) ?? otherwise;
      if (handler !== notFound && !methods.includes(request.method)) {
        response.setHeader('Allow', methods.join(', '));
        text(response, 'Method Not Allowed', 405);
        return;
      }
      await handler(request, response, query);
    } catch (error) {
      console.error(error);
      if (response.headersSent) {
        response.destroy();
      } else {
        text(response, 'Internal Server Error', 500);
      }
    }
  };
}

import { text } from './answer.js';

function notFound(request, response) {
  text(response, 'Not Found', 404);
}

/**
 * A request listener that finds the handler of a GET or HEAD request by its path.
 *
 * `routes` maps paths to handlers `(request, response, query)`, `query` being the undecoded
 * query string; `otherwise` takes the other paths. A handler that throws or rejects is
 * answered with 500.
 */
export function router(routes, otherwise = notFound) {
  const handlers = new Map(Object.entries(routes));

  return async (request, response) => {
    try {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        text(response, 'Method Not Allowed', 405);
        return;
      }
      const [path, query] = request.url.split('?', 2);
      const handler = handlers.get(path) ?? otherwise;
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

/** `/users/:id` as an expression that matches such paths, and captures `id`. */
function pattern(path) {
  const parts = path.split('/').map((part) =>
    part.startsWith(':')
      ? `(?<${part.slice(1)}>[^/]+)`
      : part.replace(/[$()*+.?[\\\]^{|}]/g, '\\$&'),
  );
  return new RegExp(`^${parts.join('/')}$`);
}

function decoded(context, groups) {
  const parameters = {};
  for (const [name, value] of Object.entries(groups ?? {})) {
    try {
      parameters[name] = decodeURIComponent(value);
    } catch {
      context.throw(400, 'the path is not encoded well');
    }
  }
  return parameters;
}

/**
 * Routes by method and path. `get`, `post`, … take a path, in which `:name` stands for one segment,
 * and a handler `(context, parameters) => promise`; the first route that matches answers.
 */
export function router() {
  const routes = new Map();

  const add = (method) => (path, handler) => {
    if (!routes.has(method)) {
      routes.set(method, []);
    }
    routes.get(method).push({ expression: pattern(path), handler });
  };

  return {
    get: add('GET'),
    post: add('POST'),
    put: add('PUT'),
    delete: add('DELETE'),

    /** The middleware; what no route matches is handed on. */
    middleware() {
      return async (context, next) => {
        const { method, path } = context.req;
        // HEAD is GET without the body, which the response leaves out.
        for (const route of routes.get(method === 'HEAD' ? 'GET' : method) ?? []) {
          const match = route.expression.exec(path);
          if (match) {
            await route.handler(context, decoded(context, match.groups));
            return;
          }
        }
        await next();
      };
    },
  };
}

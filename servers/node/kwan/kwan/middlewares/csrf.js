import Tokens from 'csrf';

const harmless = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Refuses a request that may change something unless it shows, in `X-CSRF-Token`, a token that was
 * made for its session. `context.csrfToken()` makes one. Needs the session before it.
 */
export function csrf() {
  const tokens = new Tokens();

  return async (context, next) => {
    const { session } = context;
    session.secret ??= await tokens.secret();
    context.csrfToken = () => tokens.create(session.secret);

    if (
      !harmless.has(context.req.method) &&
      !tokens.verify(session.secret, context.req.get('X-CSRF-Token'))
    ) {
      context.throw(403, 'invalid CSRF token');
    }
    await next();
  };
}

import { form, json } from 'co-body';

const parsers = { 'application/x-www-form-urlencoded': form, 'application/json': json };

/** Reads forms and JSON into `context.req.body`; other types are left unread. */
export function body({ limit = '56kb' } = {}) {
  return async ({ req }, next) => {
    const parse = parsers[req.type];
    if (parse) {
      req.body = await parse(req.raw, { limit });
    }
    await next();
  };
}

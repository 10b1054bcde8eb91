import morgan from 'morgan';

/** Writes a line in the Common Log Format to `stream` for every answer: morgan, as Koa middleware. */
export function accessLog(stream) {
  const log = morgan('common', { stream });

  return async (ctx, next) => {
    await new Promise((resolve, reject) => {
      log(ctx.req, ctx.res, (error) => (error ? reject(error) : resolve()));
    });
    await next();
  };
}

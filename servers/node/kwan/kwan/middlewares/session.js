import { randomBytes } from 'node:crypto';

import { parse, serialize } from 'cookie';
import Keygrip from 'keygrip';

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Keeps `context.session`, an object that is the client's own from request to request.
 *
 * The client holds a signed id in the cookie `name`; the data stay in `store` (`get(id)`,
 * `set(id, data, maxAgeMs)`). A session that is used is saved, and its cookie renewed, with every
 * answer; one that nobody has put anything into is not.
 */
export function session({ secret, store, name = 'sid', maxAgeMs = DAY_MS }) {
  const keys = new Keygrip([secret]);

  const known = (header) => {
    const [id, signature] = (parse(header)[name] ?? '').split('.');
    return signature && keys.verify(id, signature) ? id : undefined;
  };

  return async (context, next) => {
    let id = known(context.req.get('Cookie'));
    const stored = id && (await store.get(id));
    if (!stored) {
      // An id that is not in the store is never taken over: the client might have been given it.
      id = randomBytes(18).toString('base64url');
    }
    context.session = stored ?? {};

    await next();

    if (Object.keys(context.session).length === 0) {
      return;
    }
    await store.set(id, context.session, maxAgeMs);
    const cookie = serialize(name, `${id}.${keys.sign(id)}`, {
      path: '/',
      httpOnly: true,
      expires: new Date(Date.now() + maxAgeMs),
    });
    context.res.append('Set-Cookie', cookie);
  };
}

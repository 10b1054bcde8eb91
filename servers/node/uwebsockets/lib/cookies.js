import { createHmac, timingSafeEqual } from 'node:crypto';

const signature = (value, secret) => createHmac('sha256', secret).update(value).digest('base64url');

/** The value of a cookie in the header `cookies`; undefined where it has none of that name. */
export function cookieNamed(cookies, name) {
  const found = cookies.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return found?.slice(name.length + 1);
}

/** `value` with its signature. */
export function signed(value, secret) {
  return `${value}.${signature(value, secret)}`;
}

/** The value of a signed cookie; undefined where there is none or its signature does not fit. */
export function verified(cookie, secret) {
  const at = cookie?.lastIndexOf('.') ?? -1;
  if (at < 0) {
    return undefined;
  }
  const value = cookie.slice(0, at);
  const given = Buffer.from(cookie.slice(at + 1));
  const due = Buffer.from(signature(value, secret));
  return given.length === due.length && timingSafeEqual(given, due) ? value : undefined;
}

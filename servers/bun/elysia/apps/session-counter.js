import { signCookie, unsignCookie } from 'elysia/utils';

import { application } from '../lib/application.js';
import { required } from '../lib/environment.js';
import { countVisit } from '../lib/sessions.js';

const secret = required('WEBDYNO_SECRET');

/** The session's id that a cookie holds; undefined where its signature does not fit. */
async function signed(value) {
  return typeof value === 'string' ? (await unsignCookie(value, secret)) || undefined : undefined;
}

// By Elysia's functions and not by its option `sign`, which answers a cookie that does not fit with an error.
export default application().get('/', async ({ cookie: { session } }) => {
  let uid = await signed(session.value);
  if (uid === undefined) {
    uid = crypto.randomUUID();
    session.set({ value: await signCookie(uid, secret), httpOnly: true, sameSite: 'lax', path: '/' });
  }
  return `Count is ${await countVisit(uid)}`;
});

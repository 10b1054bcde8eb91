import { Hono } from 'hono';
import { getSignedCookie, setSignedCookie } from 'hono/cookie';

import { required } from '../lib/environment.js';
import { countVisit } from '../lib/sessions.js';

const secret = required('WEBDYNO_SECRET');
const app = new Hono();

app.get('/', async (c) => {
  // Undefined where there is no cookie, false where its signature does not fit.
  let uid = await getSignedCookie(c, secret, 'session');
  if (!uid) {
    uid = crypto.randomUUID();
    await setSignedCookie(c, 'session', uid, secret, { httpOnly: true, sameSite: 'Lax' });
  }
  return c.text(`Count is ${await countVisit(uid)}`);
});

export default app;

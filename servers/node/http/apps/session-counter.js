import { randomUUID } from 'node:crypto';

import { text } from '../lib/answer.js';
import { cookieNamed, signed, verified } from '../lib/cookies.js';
import { required } from '../lib/environment.js';
import { router } from '../lib/router.js';
import { countVisit } from '../lib/sessions.js';

const secret = required('WEBDYNO_SECRET');

async function visit(request, response) {
  let uid = verified(cookieNamed(request, 'session'), secret);
  if (uid === undefined) {
    uid = randomUUID();
    const cookie = `session=${signed(uid, secret)}; Path=/; HttpOnly; SameSite=Lax`;
    response.setHeader('Set-Cookie', cookie);
  }
  text(response, `Count is ${await countVisit(uid)}`);
}

export default router({ '/': visit });

import { randomUUID } from 'node:crypto';

import { later, text } from '../lib/answer.js';
import { cookieNamed, signed, verified } from '../lib/cookies.js';
import { required } from '../lib/environment.js';
import { countVisit } from '../lib/sessions.js';

const secret = required('WEBDYNO_SECRET');

async function visit(cookie) {
  const known = verified(cookie, secret);
  const uid = known ?? randomUUID();
  const count = await countVisit(uid);
  const headers = known
    ? {}
    : { 'Set-Cookie': `session=${signed(uid, secret)}; Path=/; HttpOnly; SameSite=Lax` };
  return (response) => text(response, `Count is ${count}`, '200 OK', headers);
}

const session = (request) => cookieNamed(request.getHeader('cookie'), 'session');

export default (app) => app.get('/', later(session, visit));

import { cookieNamed, signed, verified } from '../lib/cookies.js';
import { required } from '../lib/environment.js';
import { countVisit } from '../lib/sessions.js';

const secret = required('WEBDYNO_SECRET');

async function visit(request) {
  const headers = {};
  let uid = verified(cookieNamed(request, 'session'), secret);
  if (uid === undefined) {
    uid = crypto.randomUUID();
    headers['Set-Cookie'] = `session=${signed(uid, secret)}; Path=/; HttpOnly; SameSite=Lax`;
  }
  return new Response(`Count is ${await countVisit(uid)}`, { headers });
}

export default {
  'GET /': visit,
};

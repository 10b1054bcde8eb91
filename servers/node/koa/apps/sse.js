import { Readable } from 'node:stream';

import Router from '@koa/router';
import Koa from 'koa';

import { events, wantedEvents } from '../lib/events.js';

const router = new Router();

router.get('/events', (ctx) => {
  const wanted = wantedEvents(ctx.query, ctx.headers['last-event-id']);
  ctx.assert(wanted !== undefined, 400, 'n must be 1 to 10000, tag have 18 digits');
  if (wanted.last === wanted.count) {
    ctx.status = 204;
    return;
  }
  ctx.type = 'text/event-stream';
  ctx.set('Cache-Control', 'no-cache');
  ctx.body = Readable.from(events(wanted));
});

export default new Koa().use(router.routes());

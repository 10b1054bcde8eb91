import Router from '@koa/router';
import Koa from 'koa';

import { echoMessages } from '../lib/echo.js';

const router = new Router();

// Comes here where no upgrade is asked for.
router.get('/ws', (ctx) => {
  ctx.status = 426;
  ctx.set('Upgrade', 'websocket');
  ctx.body = 'Upgrade Required';
});

const app = new Koa().use(router.routes());

/** The application, whose server also takes WebSockets. */
export default {
  listen(...where) {
    const server = app.listen(...where);
    echoMessages(server);
    return server;
  },
};

import Router from '@koa/router';
import Koa from 'koa';

const router = new Router();

router.get('/hello', (ctx) => {
  ctx.body = 'Hello World';
});

export default new Koa().use(router.routes());

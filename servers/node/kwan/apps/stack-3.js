import { createWriteStream } from 'node:fs';

import { Application } from '../kwan/index.js';
import { jsonp } from '../kwan/middlewares/jsonp.js';
import { logger } from '../kwan/middlewares/logger.js';
import { router } from '../kwan/middlewares/router.js';
import { required } from '../lib/environment.js';

const log = createWriteStream(required('WEBDYNO_LOG'), { flags: 'a' });

const routes = router();

routes.get('/hello/:name', async ({ res }, { name }) => {
  res.body = `hello ${name}`;
});

routes.get('/sum/:a/:b', async ({ res }, { a, b }) => {
  res.body = { sum: Number(a) + Number(b) };
});

export default new Application().use(jsonp()).use(logger(log)).use(routes.middleware());

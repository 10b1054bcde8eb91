import Koa from 'koa';
import serve from 'koa-static';

import { required } from '../lib/environment.js';

export default new Koa().use(serve(required('WEBDYNO_STATIC')));

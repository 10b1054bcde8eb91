import { Hono } from 'hono';

import { serveStatic } from '../adapter.js';
import { required } from '../lib/environment.js';

const app = new Hono();

app.use(serveStatic({ root: required('WEBDYNO_STATIC') }));

export default app;

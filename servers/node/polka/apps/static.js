import serveStatic from 'serve-static';

import { application } from '../lib/application.js';
import { required } from '../lib/environment.js';

const app = application();
app.use(serveStatic(required('WEBDYNO_STATIC')));

export default app;

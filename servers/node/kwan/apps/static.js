import { Application } from '../kwan/index.js';
import { serve } from '../kwan/middlewares/serve.js';
import { required } from '../lib/environment.js';

const app = new Application();
app.use(serve(required('WEBDYNO_STATIC')));

export default app;

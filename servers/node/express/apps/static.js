import express from 'express';

import { required } from '../lib/environment.js';

const app = express();
app.disable('x-powered-by');
app.use(express.static(required('WEBDYNO_STATIC')));

export default app;

import express from 'express';

import { application } from '../lib/application.js';
import { required } from '../lib/environment.js';

const app = application();
app.use(express.static(required('WEBDYNO_STATIC')));

export default app;

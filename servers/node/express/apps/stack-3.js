import { createWriteStream } from 'node:fs';

import express from 'express';
import morgan from 'morgan';

import { required } from '../lib/environment.js';

const log = createWriteStream(required('WEBDYNO_LOG'), { flags: 'a' });

const app = express();
app.disable('x-powered-by');
app.disable('etag'); // no other framework hashes its answers unasked

app.use(morgan('common', { stream: log }));

app.get('/hello/:name', (request, response) => {
  response.jsonp(`hello ${request.params.name}`);
});

app.get('/sum/:a/:b', (request, response) => {
  const { a, b } = request.params;
  response.jsonp({ sum: Number(a) + Number(b) });
});

export default app;

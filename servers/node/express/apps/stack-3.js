import { createWriteStream } from 'node:fs';

import morgan from 'morgan';

import { application } from '../lib/application.js';
import { required } from '../lib/environment.js';

const log = createWriteStream(required('WEBDYNO_LOG'), { flags: 'a' });

const app = application();

app.use(morgan('common', { stream: log }));

app.get('/hello/:name', (request, response) => {
  response.jsonp(`hello ${request.params.name}`);
});

app.get('/sum/:a/:b', (request, response) => {
  const { a, b } = request.params;
  response.jsonp({ sum: Number(a) + Number(b) });
});

export default app;

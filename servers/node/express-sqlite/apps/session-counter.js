import express from 'express';
import session from 'express-session';

import { database } from '../lib/database.js';
import { required } from '../lib/environment.js';
import { TableStore } from '../lib/table-store.js';

const app = express();
app.disable('x-powered-by');
app.disable('etag'); // no other framework of Node.js here hashes its answers unasked

app.use(
  session({
    secret: required('WEBDYNO_SECRET'),
    store: new TableStore(database),
    resave: false,
    saveUninitialized: false,
  }),
);

app.get('/', (request, response) => {
  request.session.count = (request.session.count ?? 0) + 1;
  response.type('text').send(`Count is ${request.session.count}`);
});

export default app;

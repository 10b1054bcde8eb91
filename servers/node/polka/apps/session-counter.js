import send from '@polka/send-type';
import session from 'express-session';

import { application } from '../lib/application.js';
import { pool } from '../lib/database.js';
import { required } from '../lib/environment.js';
import { TableStore } from '../lib/table-store.js';

const app = application();

app.use(
  session({
    secret: required('WEBDYNO_SECRET'),
    store: new TableStore(pool),
    resave: false,
    saveUninitialized: false,
  }),
);

app.get('/', (request, response) => {
  request.session.count = (request.session.count ?? 0) + 1;
  send(response, 200, `Count is ${request.session.count}`);
});

export default app;

import send from '@polka/send-type';

import { application } from '../lib/application.js';

const app = application();

app.get('/hello', (request, response) => {
  send(response, 200, 'Hello World');
});

export default app;

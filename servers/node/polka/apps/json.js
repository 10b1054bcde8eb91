import send from '@polka/send-type';

import { application } from '../lib/application.js';
import { numbers } from '../lib/random.js';

const app = application();

app.get('/json', (request, response) => {
  send(response, 200, numbers());
});

export default app;

import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';
import { clamped, countItems } from '../lib/rows.js';

const app = application();

app.post(
  '/updates',
  caught(async (request, response) => {
    send(response, 200, await countItems(clamped(request.query.n)));
  }),
);

export default app;

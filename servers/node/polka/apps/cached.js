import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';
import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

const app = application();

app.get(
  '/cached',
  caught(async (request, response) => {
    send(response, 200, await readCached(clamped(request.query.n)));
  }),
);

export default app;

import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';
import { clamped, readWorlds } from '../lib/rows.js';

const app = application();

app.get(
  '/queries',
  caught(async (request, response) => {
    send(response, 200, await readWorlds(clamped(request.query.n)));
  }),
);

export default app;

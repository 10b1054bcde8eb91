import send from '@polka/send-type';

import { application, caught } from '../lib/application.js';
import { find } from '../lib/lookup.js';

const app = application();

app.get(
  '/sku',
  caught(async (request, response) => {
    const sku = await find(request.query.id);
    if (sku === undefined) {
      send(response, 404);
      return;
    }
    send(response, 200, sku);
  }),
);

export default app;

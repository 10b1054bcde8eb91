import { application } from '../lib/application.js';
import { find } from '../lib/lookup.js';

const app = application();

app.get('/sku', async (request, response) => {
  const sku = await find(request.query.id);
  if (sku === undefined) {
    response.sendStatus(404);
    return;
  }
  response.type('text').send(sku);
});

export default app;

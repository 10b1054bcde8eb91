import { application } from '../lib/application.js';
import { clamped, countItems } from '../lib/rows.js';

const app = application();

app.post('/updates', async (request, response) => {
  response.json(await countItems(clamped(request.query.n)));
});

export default app;

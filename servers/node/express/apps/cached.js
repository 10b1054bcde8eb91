import { application } from '../lib/application.js';
import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

const app = application();

app.get('/cached', async (request, response) => {
  response.json(await readCached(clamped(request.query.n)));
});

export default app;

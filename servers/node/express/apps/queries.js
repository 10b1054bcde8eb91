import { application } from '../lib/application.js';
import { clamped, readWorlds } from '../lib/rows.js';

const app = application();

app.get('/queries', async (request, response) => {
  response.json(await readWorlds(clamped(request.query.n)));
});

export default app;

import { application } from '../lib/application.js';
import { numbers } from '../lib/random.js';

const app = application();

app.get('/json', (request, response) => {
  response.json(numbers());
});

export default app;

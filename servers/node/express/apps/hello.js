import { application } from '../lib/application.js';

const app = application();

app.get('/hello', (request, response) => {
  response.type('text').send('Hello World');
});

export default app;

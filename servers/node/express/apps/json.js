import express from 'express';

import { randomInteger } from '../lib/random.js';

const keys = Array.from({ length: 10 }, (_, index) => `Test Number ${index + 1}`);

const app = express();
app.disable('x-powered-by');

app.get('/json', (request, response) => {
  response.json(Object.fromEntries(keys.map((key) => [key, randomInteger(0, 1000)])));
});

export default app;

import { json } from '../lib/answer.js';
import { numbers } from '../lib/random.js';

export default (app) => app.get('/json', (response) => json(response, numbers()));

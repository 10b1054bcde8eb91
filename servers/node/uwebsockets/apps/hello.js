import { text } from '../lib/answer.js';

export default (app) => app.get('/hello', (response) => text(response, 'Hello World'));

import { application } from '../lib/application.js';

export default application().get('/hello', () => 'Hello World');

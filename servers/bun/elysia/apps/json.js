import { application } from '../lib/application.js';
import { numbers } from '../lib/random.js';

export default application().get('/json', () => numbers());

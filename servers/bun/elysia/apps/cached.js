import { application } from '../lib/application.js';
import { readCached } from '../lib/cache.js';
import { clamped } from '../lib/rows.js';

export default application().get('/cached', ({ query }) => readCached(clamped(query.n)));

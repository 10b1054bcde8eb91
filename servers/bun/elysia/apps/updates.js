import { application } from '../lib/application.js';
import { clamped, countItems } from '../lib/rows.js';

export default application().post('/updates', ({ query }) => countItems(clamped(query.n)));

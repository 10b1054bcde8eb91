import { application } from '../lib/application.js';
import { clamped, readWorlds } from '../lib/rows.js';

export default application().get('/queries', ({ query }) => readWorlds(clamped(query.n)));

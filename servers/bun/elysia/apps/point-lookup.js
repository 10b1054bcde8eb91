import { application } from '../lib/application.js';
import { find } from '../lib/lookup.js';

export default application().get('/sku', async ({ query, status }) => {
  const sku = await find(query.id);
  return sku ?? status(404, 'no such row');
});

import { parameter } from '../lib/answer.js';
import { mysql } from '../lib/database.js';
import { requiredList } from '../lib/environment.js';
import { pick } from '../lib/random.js';

const candidates = requiredList('WEBDYNO_SKUS');
const sql = mysql();

async function sku(request) {
  const id = parameter(request, 'id') ?? pick(candidates);
  const [row] = await sql`SELECT sku_id FROM purch_sku_master WHERE sku_id = ${id}`;
  return row ? new Response(row.sku_id) : new Response('Not Found', { status: 404 });
}

export default {
  '/sku': { GET: sku },
};

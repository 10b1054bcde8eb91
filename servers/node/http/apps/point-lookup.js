import { text } from '../lib/answer.js';
import { requiredList } from '../lib/environment.js';
import { connect } from '../lib/mariadb.js';
import { pick } from '../lib/random.js';
import { router } from '../lib/router.js';

const candidates = requiredList('WEBDYNO_SKUS');
const pool = connect();

async function sku(request, response, query) {
  const id = new URLSearchParams(query).get('id') ?? pick(candidates);
  const [rows] = await pool.execute(
    'SELECT sku_id FROM purch_sku_master WHERE sku_id = ?',
    [id],
  );
  if (rows.length === 0) {
    text(response, 'Not Found', 404);
    return;
  }
  text(response, rows[0].sku_id);
}

export default router({ '/sku': sku });

import mysql from 'mysql2/promise';

import { connections } from './connections.js';
import { required, requiredList, requiredNumber } from './environment.js';
import { pick } from './random.js';

const candidates = requiredList('WEBDYNO_SKUS');

const pool = mysql.createPool({
  host: required('MYSQL_HOST'),
  port: requiredNumber('MYSQL_PORT'),
  user: required('MYSQL_USER'),
  password: process.env.MYSQL_PASSWORD,
  database: required('MYSQL_DATABASE'),
  connectionLimit: connections,
});

/** The sku_id of the row of `id`, or of one that is drawn; undefined where there is no such row. */
export async function find(id = pick(candidates)) {
  const [rows] = await pool.execute('SELECT sku_id FROM purch_sku_master WHERE sku_id = ?', [id]);
  return rows[0]?.sku_id;
}

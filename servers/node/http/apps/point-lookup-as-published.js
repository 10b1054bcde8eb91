import mysql from 'mysql';

import { text } from '../lib/answer.js';
import { required, requiredList } from '../lib/environment.js';
import { randomInteger } from '../lib/random.js';
import { router } from '../lib/router.js';

const candidates = requiredList('WEBDYNO_SKUS');

// As it was published: one connection for all requests, and all columns of the row.
const connection = mysql.createConnection({
  host: required('MYSQL_HOST'),
  port: Number(required('MYSQL_PORT')),
  user: required('MYSQL_USER'),
  password: process.env.MYSQL_PASSWORD,
  database: required('MYSQL_DATABASE'),
});

function find(id) {
  return new Promise((resolve, reject) => {
    connection.query('SELECT * FROM purch_sku_master WHERE sku_id = ?', [id], (error, rows) =>
      error ? reject(error) : resolve(rows),
    );
  });
}

async function sku(request, response, query) {
  // As it was published, too: the first of the ten is never drawn, nor are the last three.
  const id = new URLSearchParams(query).get('id') ?? candidates[randomInteger(1, 6)];
  const rows = await find(id);
  if (rows.length === 0) {
    text(response, 'Not Found', 404);
    return;
  }
  text(response, rows[0].sku_id);
}

export default router({ '/sku': sku });

import mysql from 'mysql2/promise';

import { required, requiredNumber } from './environment.js';

/** A pool of at most WEBDYNO_POOL connections, divided among the processes, to MariaDB or MySQL. */
export function connect() {
  const processes = Number(process.env.WORKERS) || 1;
  return mysql.createPool({
    host: required('MYSQL_HOST'),
    port: requiredNumber('MYSQL_PORT'),
    user: required('MYSQL_USER'),
    password: process.env.MYSQL_PASSWORD,
    database: required('MYSQL_DATABASE'),
    connectionLimit: Math.max(1, Math.floor(Number(process.env.WEBDYNO_POOL || 16) / processes)),
  });
}

import mysql from 'mysql2/promise';

import { connections } from './connections.js';
import { required, requiredNumber } from './environment.js';

/** A pool of at most WEBDYNO_POOL connections, divided among the processes, to MariaDB or MySQL. */
export function connect() {
  return mysql.createPool({
    host: required('MYSQL_HOST'),
    port: requiredNumber('MYSQL_PORT'),
    user: required('MYSQL_USER'),
    password: process.env.MYSQL_PASSWORD,
    database: required('MYSQL_DATABASE'),
    connectionLimit: connections,
  });
}

import { SQL } from 'bun';

import { connections } from './connections.js';
import { required, requiredNumber } from './environment.js';

/** A pool of connections to the PostgreSQL that DATABASE_URL names. */
export function postgres() {
  return new SQL({ url: required('DATABASE_URL'), max: connections });
}

/** A pool of connections to the MariaDB or MySQL that the environment names. */
export function mysql() {
  return new SQL({
    adapter: 'mysql',
    hostname: required('MYSQL_HOST'),
    port: requiredNumber('MYSQL_PORT'),
    username: required('MYSQL_USER'),
    password: process.env.MYSQL_PASSWORD,
    database: required('MYSQL_DATABASE'),
    max: connections,
  });
}

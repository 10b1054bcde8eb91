import { SQL } from 'bun';

import { required, requiredNumber } from './environment.js';

const connections = Number(process.env.WEBDYNO_POOL) || 16;
const processes = Number(process.env.WORKERS) || 1;

/** This process's share of the database connections. */
const max = Math.max(1, Math.floor(connections / processes));

/** A pool of connections to the PostgreSQL that DATABASE_URL names. */
export function postgres() {
  return new SQL({ url: required('DATABASE_URL'), max });
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
    max,
  });
}

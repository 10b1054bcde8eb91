import pg from 'pg';

import { required } from './environment.js';

const connections = Number(process.env.WEBDYNO_POOL) || 16;
const processes = Number(process.env.WORKERS) || 1;

/** This process's share of the database connections. */
export const pool = new pg.Pool({
  connectionString: required('DATABASE_URL'),
  max: Math.max(1, Math.floor(connections / processes)),
});

// A connection that breaks while nobody uses it is replaced by the pool; unheard, it ends the process.
pool.on('error', (error) => console.error(`database: ${error.message}`));
// One that breaks within a transaction fails its queries; unheard, it ends the process as well.
pool.on('connect', (client) => client.on('error', () => {}));

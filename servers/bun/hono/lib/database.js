import pg from 'pg';

import { connections } from './connections.js';
import { required } from './environment.js';

/** This process's share of the database connections. */
export const pool = new pg.Pool({
  connectionString: required('DATABASE_URL'),
  max: connections,
});

// A connection that breaks while nobody uses it is replaced by the pool; unheard, it ends the process.
pool.on('error', (error) => console.error(`database: ${error.message}`));
// One that breaks within a transaction fails its queries; unheard, it ends the process as well.
pool.on('connect', (client) => client.on('error', () => {}));

import { Logger, Module, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';

import { poolSize, required } from '../environment.js';

function openPool(): Pool {
  const pool = new Pool({ connectionString: required('DATABASE_URL'), max: poolSize() });
  const logger = new Logger('Postgres');
  // A connection that breaks while nobody uses it is replaced by the pool; unheard, it ends the process.
  pool.on('error', (error) => logger.error(error.message));
  // One that breaks within a transaction fails its queries; unheard, it ends the process as well.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
}

/** Provides the connections to PostgreSQL. */
@Module({ providers: [{ provide: Pool, useFactory: openPool }], exports: [Pool] })
export class PostgresModule implements OnApplicationShutdown {
  constructor(private readonly pool: Pool) {}

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}

import { Inject, Module, type OnApplicationShutdown } from '@nestjs/common';
import { createPool, type Pool } from 'mysql2/promise';

import { poolSize, required, requiredNumber } from '../environment.js';

/** The token of the pool, whose type is an interface. */
export const MARIADB_POOL = Symbol('MARIADB_POOL');

function openPool(): Pool {
  return createPool({
    host: required('MYSQL_HOST'),
    port: requiredNumber('MYSQL_PORT'),
    user: required('MYSQL_USER'),
    password: process.env.MYSQL_PASSWORD,
    database: required('MYSQL_DATABASE'),
    connectionLimit: poolSize(),
  });
}

/** Provides the connections to MariaDB. */
@Module({ providers: [{ provide: MARIADB_POOL, useFactory: openPool }], exports: [MARIADB_POOL] })
export class MariadbModule implements OnApplicationShutdown {
  constructor(@Inject(MARIADB_POOL) private readonly pool: Pool) {}

  async onApplicationShutdown(): Promise<void> {
    await this.pool.end();
  }
}

import { CacheModule } from '@nestjs/cache-manager';
import { Module } from '@nestjs/common';
import { Keyv } from 'keyv';

import { requiredNumber } from '../environment.js';
import { PostgresModule } from '../postgres/postgres.module.js';
import { CachedController } from './cached.controller.js';
import { CachedWorldsService } from './cached-worlds.service.js';

@Module({
  imports: [
    PostgresModule,
    CacheModule.registerAsync({
      useFactory: () => ({
        // In this process a row can be kept as it is, where a store elsewhere would need a text.
        stores: new Keyv({ serialize: undefined, deserialize: undefined }),
        ttl: requiredNumber('WEBDYNO_TTL_MS'),
      }),
    }),
  ],
  controllers: [CachedController],
  providers: [CachedWorldsService],
})
export class CachedModule {}

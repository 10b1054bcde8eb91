import { Module } from '@nestjs/common';

import { MariadbModule } from '../mariadb/mariadb.module.js';
import { LookupService } from './lookup.service.js';
import { PointLookupController } from './point-lookup.controller.js';

@Module({
  imports: [MariadbModule],
  controllers: [PointLookupController],
  providers: [LookupService],
})
export class PointLookupModule {}

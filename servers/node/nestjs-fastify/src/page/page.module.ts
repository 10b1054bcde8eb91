import { Module } from '@nestjs/common';

import { PostgresModule } from '../postgres/postgres.module.js';
import { ArticlesService } from './articles.service.js';
import { PageController } from './page.controller.js';

@Module({
  imports: [PostgresModule],
  controllers: [PageController],
  providers: [ArticlesService],
})
export class PageModule {}

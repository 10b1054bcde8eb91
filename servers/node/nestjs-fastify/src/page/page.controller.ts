import { Controller, Get, Render } from '@nestjs/common';

import { type Article, ArticlesService } from './articles.service.js';

@Controller()
export class PageController {
  constructor(private readonly articles: ArticlesService) {}

  @Get('page')
  @Render('page.hbs')
  async page(): Promise<{ articles: Article[] }> {
    return { articles: await this.articles.list() };
  }
}

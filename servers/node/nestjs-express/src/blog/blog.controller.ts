import { Controller, Get, Render } from '@nestjs/common';

import { type IllustratedPost, PostsService } from './posts.service.js';

@Controller()
export class BlogController {
  constructor(private readonly posts: PostsService) {}

  @Get('blog')
  @Render('blog')
  page(): { posts: IllustratedPost[] } {
    return { posts: this.posts.draw() };
  }
}

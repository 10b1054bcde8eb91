import { type MiddlewareConsumer, Module, type NestModule } from '@nestjs/common';

import { requiredNumber } from '../environment.js';
import { CountsService } from './counts.service.js';
import { MiddlewareController } from './middleware.controller.js';

@Module({ controllers: [MiddlewareController], providers: [CountsService] })
export class MiddlewareModule implements NestModule {
  constructor(private readonly counts: CountsService) {}

  configure(consumer: MiddlewareConsumer): void {
    for (let count = requiredNumber('WEBDYNO_MIDDLEWARE'); count > 0; count -= 1) {
      consumer.apply(this.passThrough()).forRoutes(MiddlewareController);
    }
  }

  private passThrough() {
    return (request: unknown, response: unknown, next: () => void) => {
      this.counts.pass();
      next();
    };
  }
}

import { Module } from '@nestjs/common';

import { EventsService } from './events.service.js';
import { SseController } from './sse.controller.js';

@Module({ controllers: [SseController], providers: [EventsService] })
export class SseModule {}

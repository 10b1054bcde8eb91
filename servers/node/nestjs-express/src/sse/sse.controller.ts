import type { ServerResponse } from 'node:http';

import {
  BadRequestException,
  Controller,
  DefaultValuePipe,
  HttpStatus,
  type MessageEvent,
  Query,
  Res,
  Sse,
} from '@nestjs/common';
import { EMPTY, from, type Observable } from 'rxjs';

import { TagPipe } from '../tag.pipe.js';
import { WholePipe } from '../whole.pipe.js';
import { EventsService } from './events.service.js';
import { LastEventId } from './last-event-id.decorator.js';

const MOST = 10_000;
const LONGEST_MS = 1000;

@Controller()
export class SseController {
  constructor(private readonly events: EventsService) {}

  @Sse('events')
  push(
    @Query('n', new WholePipe(1, MOST)) count: number,
    @Query('tag', TagPipe) tag: string,
    @Query('gap', new DefaultValuePipe('0'), new WholePipe(0, LONGEST_MS)) gap: number,
    @LastEventId(new WholePipe(0, MOST)) last: number,
    @Res({ passthrough: true }) response: ServerResponse,
  ): Observable<MessageEvent> {
    if (last > count) {
      throw new BadRequestException('Last-Event-ID is beyond the last event');
    }
    if (last === count) {
      response.statusCode = HttpStatus.NO_CONTENT; // asks the client not to connect again
      return EMPTY;
    }
    return from(this.events.make(last, count, tag, gap, response));
  }
}

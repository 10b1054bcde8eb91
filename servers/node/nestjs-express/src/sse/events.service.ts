import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate as written, setTimeout as sleep } from 'node:timers/promises';

import { Injectable, type MessageEvent } from '@nestjs/common';

import { microseconds } from '../clock.js';

@Injectable()
export class EventsService {
  /** The events after `last` up to `count`, `gap` milliseconds apart, each made when `to` has room. */
  async *make(
    last: number,
    count: number,
    tag: string,
    gap: number,
    to: ServerResponse,
  ): AsyncGenerator<MessageEvent> {
    for (let number = last + 1; number <= count; number += 1) {
      if (number > last + 1) {
        // Nest writes an event in the same turn of the event loop in which it gets it.
        await (gap > 0 ? sleep(gap) : written());
      }
      if (to.writableNeedDrain) {
        // Nest takes an event whenever there is one, and would keep what the client does not read.
        await once(to, 'drain');
      }
      yield { id: String(number), data: { number, tag, made: microseconds() } };
    }
  }
}

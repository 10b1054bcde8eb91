import { Controller, Get, Header, Query } from '@nestjs/common';

import { TagPipe } from '../tag.pipe.js';
import { WholePipe } from '../whole.pipe.js';
import { PiecesService } from './pieces.service.js';

const MOST = 65_536;

@Controller()
export class StreamController {
  constructor(private readonly pieces: PiecesService) {}

  @Get('stream')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  async *stream(
    @Query('n', new WholePipe(1, MOST)) count: number,
    @Query('tag', TagPipe) tag: string,
  ): AsyncGenerator<string> {
    // Nest takes the next piece when the client can take it.
    yield* this.pieces.make(count, tag);
  }
}

import { Module } from '@nestjs/common';

import { PiecesService } from './pieces.service.js';
import { StreamController } from './stream.controller.js';

@Module({ controllers: [StreamController], providers: [PiecesService] })
export class StreamModule {}

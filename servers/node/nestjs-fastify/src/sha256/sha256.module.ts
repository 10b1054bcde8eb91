import { Module } from '@nestjs/common';

import { DigestService } from './digest.service.js';
import { Sha256Controller } from './sha256.controller.js';

@Module({ controllers: [Sha256Controller], providers: [DigestService] })
export class Sha256Module {}

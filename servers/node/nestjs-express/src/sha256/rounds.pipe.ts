import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';

const decimalUpTo100000 = /^([1-9]\d{0,4}|100000)$/;

/** A number of rounds. Nest's own ParseIntPipe knows no limits. */
@Injectable()
export class RoundsPipe implements PipeTransform<unknown, number> {
  transform(value: unknown): number {
    if (typeof value !== 'string' || !decimalUpTo100000.test(value)) {
      throw new BadRequestException('n must be an integer from 1 to 100000');
    }
    return Number(value);
  }
}

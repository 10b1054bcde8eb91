import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';

/** A whole number of `low` … `high`. Nest's own ParseIntPipe knows no limits. */
@Injectable()
export class WholePipe implements PipeTransform<unknown, number> {
  constructor(
    private readonly low: number,
    private readonly high: number,
  ) {}

  transform(value: unknown): number {
    const number = typeof value === 'string' && /^\d{1,5}$/.test(value) ? Number(value) : NaN;
    if (number >= this.low && number <= this.high) {
      return number;
    }
    throw new BadRequestException(`expected a whole number of ${this.low} to ${this.high}`);
  }
}

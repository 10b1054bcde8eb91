import { Injectable, type PipeTransform } from '@nestjs/common';

const MOST = 500;

/** How many rows are asked for: 1 to 500, and 1 where the text is no number. */
@Injectable()
export class RowCountPipe implements PipeTransform<unknown, number> {
  transform(value: unknown): number {
    if (typeof value !== 'string' || !/^\d+$/.test(value)) {
      return 1;
    }
    return Math.min(Math.max(Number(value), 1), MOST);
  }
}

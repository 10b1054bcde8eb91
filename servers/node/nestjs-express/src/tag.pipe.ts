import { BadRequestException, Injectable, type PipeTransform } from '@nestjs/common';

/** A tag of eighteen digits. */
@Injectable()
export class TagPipe implements PipeTransform<unknown, string> {
  transform(value: unknown): string {
    if (typeof value !== 'string' || !/^\d{18}$/.test(value)) {
      throw new BadRequestException('tag must have 18 digits');
    }
    return value;
  }
}

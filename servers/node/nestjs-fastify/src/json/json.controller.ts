import { Controller, Get } from '@nestjs/common';

const keys = Array.from({ length: 10 }, (_, index) => `Test Number ${index + 1}`);

@Controller()
export class JsonController {
  @Get('json')
  numbers(): Record<string, number> {
    return Object.fromEntries(keys.map((key) => [key, Math.floor(Math.random() * 1001)]));
  }
}

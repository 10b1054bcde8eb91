import { Controller, Get } from '@nestjs/common';

@Controller()
export class JsonController {
  @Get('json')
  numbers(): Record<string, number> {
    const found: Record<string, number> = {};
    for (let number = 1; number <= 10; number += 1) {
      found[`Test Number ${number}`] = Math.floor(Math.random() * 1001);
    }
    return found;
  }
}

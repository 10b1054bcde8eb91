import { Controller, Get, Session } from '@nestjs/common';

interface Counted {
  count?: number;
}

@Controller()
export class SessionCounterController {
  @Get()
  visit(@Session() session: Counted): string {
    session.count = (session.count ?? 0) + 1;
    return `Count is ${session.count}`;
  }
}

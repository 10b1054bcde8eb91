import { Controller, Get, Header } from '@nestjs/common';

@Controller()
export class HelloController {
  @Get('hello')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  hello(): string {
    return 'Hello World';
  }
}

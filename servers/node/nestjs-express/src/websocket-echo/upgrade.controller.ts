import { Controller, Get, Header, HttpCode } from '@nestjs/common';

@Controller()
export class UpgradeController {
  @Get('ws')
  @HttpCode(426)
  @Header('Upgrade', 'websocket')
  plain(): string {
    return 'Upgrade Required';
  }
}

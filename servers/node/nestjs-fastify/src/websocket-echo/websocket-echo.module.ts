import { type INestApplication, Module } from '@nestjs/common';
import { WsAdapter } from '@nestjs/platform-ws';

import { EchoGateway } from './echo.gateway.js';
import { UpgradeController } from './upgrade.controller.js';

@Module({ controllers: [UpgradeController], providers: [EchoGateway] })
export class WebsocketEchoModule {}

/** Has gateways served by the package ws. */
export function setUpWebSockets(app: INestApplication): void {
  app.useWebSocketAdapter(new WsAdapter(app));
}

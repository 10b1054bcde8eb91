import { type OnGatewayConnection, WebSocketGateway } from '@nestjs/websockets';
import type { WebSocket } from 'ws';

/** Sends back what comes. Messages are no JSON events, as @SubscribeMessage would expect. */
@WebSocketGateway({ path: '/ws' })
export class EchoGateway implements OnGatewayConnection<WebSocket> {
  handleConnection(client: WebSocket): void {
    client.on('message', (data, isBinary) => client.send(data, { binary: isBinary }));
  }
}

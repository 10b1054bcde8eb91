import { type OnGatewayConnection, WebSocketGateway } from '@nestjs/websockets';
import type { WebSocket } from 'ws';

// What may wait for a client to read it; past that, no more of its messages are taken.
const UNREAD_BYTES = 1 << 16;

/** Sends back what comes. Messages are no JSON events, as @SubscribeMessage would expect. */
@WebSocketGateway({ path: '/ws' })
export class EchoGateway implements OnGatewayConnection<WebSocket> {
  handleConnection(client: WebSocket): void {
    client.on('message', (data, isBinary) => {
      if (client.bufferedAmount < UNREAD_BYTES) {
        client.send(data, { binary: isBinary });
        return;
      }
      client.pause();
      client.send(data, { binary: isBinary }, () => client.resume());
    });
  }
}

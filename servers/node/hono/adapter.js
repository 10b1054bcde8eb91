import { WebSocket, WebSocketServer } from 'ws';

export { upgradeWebSocket } from '@hono/node-server';
export { serveStatic } from '@hono/node-server/serve-static';

// What may wait for a client to read it; past that, no more of its messages are taken.
const UNREAD_BYTES = 1 << 16;

class PatientWebSocket extends WebSocket {
  send(data, options) {
    if (this.bufferedAmount < UNREAD_BYTES) {
      super.send(data, options);
      return;
    }
    this.pause();
    super.send(data, options, () => this.resume());
  }
}

const server = new WebSocketServer({ noServer: true, WebSocket: PatientWebSocket });

/** Given to the server, which hands it the connections to upgrade. */
export const websocket = { server };

import { WebSocketServer } from 'ws';

import { text } from '../lib/answer.js';
import { router } from '../lib/router.js';

// What may wait for a client to read it; past that, no more of its messages are taken.
const UNREAD_BYTES = 1 << 16;

// It answers the upgrade of another path by 400.
const sockets = new WebSocketServer({ noServer: true, path: '/ws' });

sockets.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => {
    if (socket.bufferedAmount < UNREAD_BYTES) {
      socket.send(data, { binary: isBinary });
      return;
    }
    socket.pause();
    socket.send(data, { binary: isBinary }, () => socket.resume());
  });
  socket.on('error', (error) => console.error(error.message));
});

process.once('SIGTERM', () => sockets.clients.forEach((socket) => socket.close(1001)));

/** Takes over the connection of a request that asks for an upgrade. */
export function upgrade(request, socket, head) {
  sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened));
}

function plain(request, response) {
  response.setHeader('Upgrade', 'websocket');
  text(response, 'Upgrade Required', 426);
}

export default router({ '/ws': plain });

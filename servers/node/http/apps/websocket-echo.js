import { WebSocketServer } from 'ws';

import { text } from '../lib/answer.js';
import { router } from '../lib/router.js';

// It answers the upgrade of another path by 400.
const sockets = new WebSocketServer({ noServer: true, path: '/ws' });

sockets.on('connection', (socket) => {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
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

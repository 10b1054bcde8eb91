import { WebSocketServer } from 'ws';

// What may wait for a client to read it; past that, no more of its messages are taken.
const UNREAD_BYTES = 1 << 16;

function echo(socket) {
  socket.on('message', (data, isBinary) => {
    if (socket.bufferedAmount < UNREAD_BYTES) {
      socket.send(data, { binary: isBinary });
      return;
    }
    socket.pause();
    socket.send(data, { binary: isBinary }, () => socket.resume());
  });
  socket.on('error', (error) => console.error(error.message));
}

export function register(server) {
  // It answers the upgrade of another path by 400.
  const sockets = new WebSocketServer({ server: server.listener, path: '/ws' });
  sockets.on('connection', echo);
  server.ext('onPreStop', () => sockets.clients.forEach((socket) => socket.close(1001)));

  server.route({
    method: 'GET',
    path: '/ws',
    handler: (request, h) => h.response('Upgrade Required').code(426).header('Upgrade', 'websocket'),
  });
}

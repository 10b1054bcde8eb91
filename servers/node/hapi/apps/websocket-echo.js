import { WebSocketServer } from 'ws';

function echo(socket) {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
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

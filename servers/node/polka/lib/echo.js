import { WebSocketServer } from 'ws';

const GRACE_MS = 1000;
// What may wait for a client to read it; past that, no more of its messages are taken.
const UNREAD_BYTES = 1 << 16;

/** Sends each message back that comes over a WebSocket at /ws of `server`. */
export function echoMessages(server) {
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

  server.on('upgrade', (request, socket, head) => {
    sockets.handleUpgrade(request, socket, head, (opened) => sockets.emit('connection', opened));
  });

  process.once('SIGTERM', () => {
    sockets.clients.forEach((socket) => socket.close(1001));
    // Connections that were upgraded are not the server's any more: it does not cut them.
    setTimeout(() => sockets.clients.forEach((socket) => socket.terminate()), GRACE_MS).unref();
  });
}

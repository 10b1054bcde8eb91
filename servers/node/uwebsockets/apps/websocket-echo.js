import { text } from '../lib/answer.js';

// A client's messages may have this many bytes.
const LONGEST = 1 << 16;
// What may wait for a client to read it. Past that the connection ends: µWebSockets reads on
// whatever waits, and has no way to pause a socket.
const UNREAD_BYTES = 16 << 20;

const sockets = new Set();

process.once('SIGTERM', () => sockets.forEach((socket) => socket.end(1001)));

export default function routes(app) {
  app.ws('/ws', {
    maxPayloadLength: LONGEST,
    maxBackpressure: UNREAD_BYTES,
    closeOnBackpressureLimit: true,
    open: (socket) => sockets.add(socket),
    message: (socket, message, isBinary) => socket.send(message, isBinary),
    close: (socket) => sockets.delete(socket),
  });
  // Comes here where no upgrade is asked for.
  app.get('/ws', (response) =>
    text(response, 'Upgrade Required', '426 Upgrade Required', { Upgrade: 'websocket' }),
  );
}

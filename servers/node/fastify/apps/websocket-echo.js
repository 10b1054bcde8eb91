import websocket from '@fastify/websocket';

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
}

function plain(request, reply) {
  reply.code(426).header('Upgrade', 'websocket').send('Upgrade Required');
}

export default async function websocketEcho(fastify) {
  await fastify.register(websocket);
  fastify.route({ method: 'GET', url: '/ws', handler: plain, wsHandler: echo });
}

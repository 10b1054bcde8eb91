import websocket from '@fastify/websocket';

function echo(socket) {
  socket.on('message', (data, isBinary) => socket.send(data, { binary: isBinary }));
}

function plain(request, reply) {
  reply.code(426).header('Upgrade', 'websocket').send('Upgrade Required');
}

export default async function websocketEcho(fastify) {
  await fastify.register(websocket);
  fastify.route({ method: 'GET', url: '/ws', handler: plain, wsHandler: echo });
}

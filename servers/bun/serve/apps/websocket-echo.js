function upgrade(request, server) {
  if (server.upgrade(request)) {
    return undefined; // The connection is no longer of HTTP.
  }
  return new Response('Upgrade Required', { status: 426, headers: { Upgrade: 'websocket' } });
}

export const websocket = {
  message(socket, message) {
    socket.send(message);
  },
};

export default {
  '/ws': { GET: upgrade },
};

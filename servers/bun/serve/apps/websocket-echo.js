function upgrade(request, server) {
  if (server.upgrade(request)) {
    return undefined; // The connection is no longer of HTTP.
  }
  return new Response('Upgrade Required', { status: 426, headers: { Upgrade: 'websocket' } });
}

export const websocket = {
  // Otherwise messages would be lost where a client does not read: past 16 MB Bun drops them.
  closeOnBackpressureLimit: true,
  message(socket, message) {
    socket.send(message);
  },
};

export default {
  '/ws': { GET: upgrade },
};

function upgrade(request) {
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') {
    return new Response('Upgrade Required', { status: 426, headers: { Upgrade: 'websocket' } });
  }
  const { socket, response } = Deno.upgradeWebSocket(request);
  socket.binaryType = 'arraybuffer'; // as a Blob, a message would be read first to be sent
  socket.addEventListener('message', ({ data }) => socket.send(data));
  return response;
}

export default {
  'GET /ws': upgrade,
};

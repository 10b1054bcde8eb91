/** The socket and the response of an upgrade; undefined where the request's headers ask for none. */
function upgraded(request) {
  try {
    return Deno.upgradeWebSocket(request);
  } catch (error) {
    if (error instanceof TypeError) {
      return undefined;
    }
    throw error;
  }
}

function upgrade(request) {
  const both = upgraded(request);
  if (both === undefined) {
    return new Response('Upgrade Required', { status: 426, headers: { Upgrade: 'websocket' } });
  }
  const { socket, response } = both;
  socket.binaryType = 'arraybuffer'; // as a Blob, a message would be read first to be sent
  socket.addEventListener('message', ({ data }) => socket.send(data));
  return response;
}

export default {
  'GET /ws': upgrade,
};

// What a client may leave unread. Deno has no way to stop reading, and would keep all of it.
const UNREAD_BYTES = 16 << 20;
const POLICY_VIOLATION = 1008;

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

function echo({ target: socket, data }) {
  if (socket.bufferedAmount < UNREAD_BYTES) {
    socket.send(data);
  } else {
    socket.close(POLICY_VIOLATION, 'answers are not read');
  }
}

function upgrade(request) {
  const both = upgraded(request);
  if (both === undefined) {
    return new Response('Upgrade Required', { status: 426, headers: { Upgrade: 'websocket' } });
  }
  const { socket, response } = both;
  socket.binaryType = 'arraybuffer'; // as a Blob, a message would be read first to be sent
  socket.addEventListener('message', echo);
  return response;
}

export default {
  'GET /ws': upgrade,
};

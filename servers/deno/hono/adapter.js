import { upgradeWebSocket as upgradeBy } from 'hono/deno';

export { serveStatic } from 'hono/deno';

// What a client may leave unread. Deno has no way to stop reading, and would keep all of it.
const UNREAD_BYTES = 16 << 20;
const POLICY_VIOLATION = 1008;

/**
 * As hono/deno has it, with binary messages as an ArrayBuffer: a Blob would be read first to be sent.
 * The connection of a client that leaves too much unread is ended.
 */
export function upgradeWebSocket(createEvents) {
  return upgradeBy((c) => {
    const events = createEvents(c);
    return {
      onOpen(event, socket) {
        socket.raw.binaryType = 'arraybuffer';
      },
      ...events,
      onMessage(message, socket) {
        if (socket.raw.bufferedAmount < UNREAD_BYTES) {
          events.onMessage(message, socket);
        } else {
          socket.close(POLICY_VIOLATION, 'answers are not read');
        }
      },
    };
  });
}

// Deno's connections are upgraded one by one: its server is told nothing of them.
export const websocket = undefined;

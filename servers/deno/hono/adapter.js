import { upgradeWebSocket as upgradeBy } from 'hono/deno';

export { serveStatic } from 'hono/deno';

/** As hono/deno has it, with binary messages as an ArrayBuffer: a Blob would be read first to be sent. */
export function upgradeWebSocket(createEvents) {
  return upgradeBy((c) => ({
    onOpen(event, socket) {
      socket.raw.binaryType = 'arraybuffer';
    },
    ...createEvents(c),
  }));
}

// Deno's connections are upgraded one by one: its server is told nothing of them.
export const websocket = undefined;

import { websocket as calls } from 'hono/bun';

export { serveStatic, upgradeWebSocket } from 'hono/bun';

/** Given to the server, which calls it for each message. */
export const websocket = {
  ...calls,
  // Otherwise messages would be lost where a client does not read: past 16 MB Bun drops them.
  closeOnBackpressureLimit: true,
};

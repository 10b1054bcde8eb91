import { WebSocketServer } from 'ws';

export { upgradeWebSocket } from '@hono/node-server';
export { serveStatic } from '@hono/node-server/serve-static';

/** Given to the server, which hands it the connections to upgrade. */
export const websocket = { server: new WebSocketServer({ noServer: true }) };

// `websocket` is given to the server, which calls it for each message.
export { serveStatic, upgradeWebSocket, websocket } from 'hono/bun';

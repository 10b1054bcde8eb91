import { Hono } from 'hono';

import { upgradeWebSocket } from '../adapter.js';

const app = new Hono();

app.get(
  '/ws',
  upgradeWebSocket(() => ({
    onMessage(message, socket) {
      socket.send(message.data);
    },
  })),
  // Comes here where no upgrade is asked for.
  (c) => c.text('Upgrade Required', 426, { Upgrade: 'websocket' }),
);

export { websocket } from '../adapter.js';
export default app;

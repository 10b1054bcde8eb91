import { fetch } from './fetch.js';
import { requiredNumber } from './lib/environment.js';

const server = Deno.serve(
  { hostname: process.env.HOST ?? '127.0.0.1', port: requiredNumber('PORT') },
  fetch,
);

Deno.addSignalListener('SIGTERM', async () => {
  // Lets requests in flight end, then cuts what is left.
  setTimeout(() => Deno.exit(), 1000);
  await server.shutdown();
  // Connections to the database would keep the process.
  Deno.exit();
});

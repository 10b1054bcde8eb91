import { loadApp } from './scenario.js';

const app = await loadApp();

// `deno serve` gives no handle to the server, and would wait for the connections to the database.
Deno.addSignalListener('SIGTERM', () => Deno.exit());

// `deno serve` asks for it: the handler of each request.
export default { fetch: app.fetch };

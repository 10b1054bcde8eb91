import { fetch } from './fetch.js';

// `deno serve` gives no handle to the server, and would wait for the connections to the database.
Deno.addSignalListener('SIGTERM', () => Deno.exit());

// `deno serve` asks for it: the handler of each request.
export default { fetch };

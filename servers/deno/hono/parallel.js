import { fetch } from './fetch.js';

// `deno serve` lets requests in flight end by itself. What is left after the grace is cut, and so
// are connections to the database, which would keep the process.
Deno.addSignalListener('SIGTERM', () => Deno.unrefTimer(setTimeout(() => Deno.exit(), 1000)));

// `deno serve` asks for it: the handler of each request.
export default { fetch };

// Answers `hello` with memory that shapes its curve. MEMORY=cache: what each key needs is worked
// out once, so the server becomes faster as its cache fills. MEMORY=bursts: what requests leave
// behind is kept until there is much of it, then dropped at once, so the collector works in bursts.
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';

const KEYS = 20_000;
const KEPT = 150_000;
const cache = new Map();
let kept = [];

const work = {
  cache() {
    const key = Math.floor(Math.random() * KEYS);
    if (!cache.has(key)) {
      let digest = String(key);
      for (let round = 0; round < 100; round += 1) {
        digest = createHash('sha256').update(digest).digest('hex');
      }
      cache.set(key, digest);
    }
  },
  bursts() {
    kept.push({ at: Date.now(), parts: Array.from({ length: 20 }, (_, at) => ({ at })) });
    if (kept.length >= KEPT) kept = [];
  },
}[process.env.MEMORY ?? 'cache'];

const server = createServer({ keepAliveTimeout: 75_000 }, (request, response) => {
  if (request.url !== '/hello') {
    response.writeHead(404).end();
    return;
  }
  work();
  response.writeHead(200, { 'Content-Type': 'text/plain', 'Content-Length': 11 });
  response.end('Hello World');
});

server.listen(Number(process.env.PORT), '127.0.0.1');
process.on('SIGTERM', () => process.exit(0));

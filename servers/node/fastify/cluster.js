import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

import './scenario.js'; // a wrong scenario is refused here, before any worker starts

const wanted = Number(process.env.WORKERS) || availableParallelism();
const hasDatabase = Boolean(process.env.DATABASE_URL || process.env.MYSQL_HOST);
// Each worker holds a connection at least.
const workers = hasDatabase ? Math.min(wanted, Number(process.env.WEBDYNO_POOL) || 16) : wanted;
// Workers divide the database connections among them.
process.env.WORKERS = String(workers);
const serving = new Set();
// Of each worker, from 0: by them the first ones hold what a division of the connections leaves.
const numbers = new Map();
let stopping = false;

function start(number) {
  numbers.set(cluster.fork({ WORKER: String(number) }).id, number);
}

function stop() {
  stopping = true;
  for (const worker of Object.values(cluster.workers)) {
    worker.process.kill('SIGTERM');
  }
}

cluster.on('listening', (worker) => serving.add(worker.id));

cluster.on('exit', (worker, code, signal) => {
  if (stopping) {
    return;
  }
  console.error(`worker ${worker.process.pid} ended with ${signal ?? `exit code ${code}`}`);
  if (serving.delete(worker.id)) {
    start(numbers.get(worker.id));
  } else {
    // It never served: another one would not either.
    process.exitCode = code || 1;
    stop();
  }
});

process.on('SIGTERM', stop);

cluster.setupPrimary({ exec: fileURLToPath(new URL('server.js', import.meta.url)) });
for (let number = 0; number < workers; number += 1) {
  start(number);
}

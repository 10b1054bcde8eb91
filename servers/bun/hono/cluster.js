import './scenario.js'; // a wrong scenario is refused here, before any worker starts

const wanted = Number(process.env.WORKERS);
const hasDatabase = Boolean(process.env.DATABASE_URL || process.env.MYSQL_HOST);
// Each worker holds a connection at least.
const length = hasDatabase ? Math.min(wanted, Number(process.env.WEBDYNO_POOL) || 16) : wanted;

const workers = Array.from({ length }, (_, number) =>
  Bun.spawn([process.execPath, 'server.js'], {
    cwd: import.meta.dir,
    // Workers divide the database connections among them.
    env: { ...process.env, WORKERS: String(length), WORKER: String(number) },
    stdio: ['ignore', 'inherit', 'inherit'],
  }),
);

function stop() {
  for (const worker of workers) {
    worker.kill('SIGTERM');
  }
}

process.once('SIGTERM', stop);

// None of them ends by itself: whoever does so failed, and the others end with it.
const code = await Promise.race(workers.map((worker) => worker.exited));
stop();
await Promise.all(workers.map((worker) => worker.exited));
process.exit(code);

import './scenario.js'; // a wrong scenario is refused here, before any worker starts

const workers = Array.from({ length: Number(process.env.WORKERS) }, () =>
  Bun.spawn([process.execPath, 'server.js'], {
    cwd: import.meta.dir,
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

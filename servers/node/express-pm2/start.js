import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import './scenario.js'; // a wrong scenario is refused here, before pm2 starts

const folder = path.dirname(fileURLToPath(import.meta.url));
const wanted = Number(process.env.WORKERS) || availableParallelism();
// Each worker holds a connection at least.
const workers = Math.min(wanted, Number(process.env.WEBDYNO_POOL) || 16);

// pm2 keeps sockets, pid files and logs in its home: one of its own for each start, so that it
// meets no other pm2 of the user.
const home = mkdtempSync(path.join(tmpdir(), 'pm2-'));

const pm2 = spawn(path.join(folder, 'node_modules/.bin/pm2-runtime'), ['ecosystem.config.cjs'], {
  cwd: folder,
  stdio: 'inherit',
  env: {
    ...process.env,
    WORKERS: String(workers), // which divide the database connections among them
    PM2_HOME: home,
    PM2_KILL_SIGNAL: 'SIGTERM',
    PM2_DISABLE_VERSION_CHECK: 'true', // asks a server on the Internet
  },
});

process.on('SIGTERM', () => pm2.kill('SIGTERM'));

pm2.on('exit', (code) => {
  rmSync(home, { recursive: true, force: true });
  process.exit(code ?? 1);
});

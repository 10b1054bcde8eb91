/** Ends the process with a line on stderr and exit code 2: the launch was wrong, not the server. */
export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

/** The value of the environment variable `name`, without which the server cannot start. */
export function required(name: string): string {
  return process.env[name] || refuse(`${name} is not set`);
}

/** The whole number in the environment variable `name`, without which the server cannot start. */
export function requiredNumber(name: string): number {
  const value = required(name);
  return /^\d+$/.test(value) ? Number(value) : refuse(`${name} is '${value}', not a whole number`);
}

/** This process's share of the database connections that WEBDYNO_POOL allows. */
export function poolSize(): number {
  const connections = Number(process.env.WEBDYNO_POOL) || 16;
  const processes = Number(process.env.WORKERS) || 1;
  // Where workers are numbered and cannot share evenly, the first hold one more each.
  const more = Number(process.env.WORKER) < connections % processes ? 1 : 0;
  return Math.max(1, Math.floor(connections / processes) + more);
}

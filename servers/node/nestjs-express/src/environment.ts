/** Ends the process with a line on stderr and exit code 2: the launch was wrong, not the server. */
export function refuse(message: string): never {
  console.error(message);
  process.exit(2);
}

/** The value of the environment variable `name`, without which the server cannot start. */
export function required(name: string): string {
  return process.env[name] || refuse(`${name} is not set`);
}

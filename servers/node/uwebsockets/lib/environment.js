/** Ends the process with a line on stderr and exit code 2: the launch was wrong, not the server. */
export function refuse(message) {
  console.error(message);
  process.exit(2);
}

/** The value of the environment variable `name`, without which the server cannot start. */
export function required(name) {
  return process.env[name] || refuse(`${name} is not set`);
}

/** The whole number in the environment variable `name`, without which the server cannot start. */
export function requiredNumber(name) {
  const value = required(name);
  return /^\d+$/.test(value) ? Number(value) : refuse(`${name} is '${value}', not a whole number`);
}

/** The texts in the environment variable `name`, which commas separate. */
export function requiredList(name) {
  return required(name).split(',');
}

/** A random integer, uniform over `low` … `high`, both included. */
export function randomInteger(low: number, high: number): number {
  return low + Math.floor(Math.random() * (high - low + 1));
}

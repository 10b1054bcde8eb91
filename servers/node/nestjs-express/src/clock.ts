/** The microseconds since 1970. */
export function microseconds(): number {
  return Math.round((performance.timeOrigin + performance.now()) * 1000);
}

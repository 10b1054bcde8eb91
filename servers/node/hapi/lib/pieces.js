const BYTES = 4096;

/** `count` pieces, each made when it is asked for. */
export function* pieces(count, tag) {
  for (let number = 0; number < count; number += 1) {
    const micros = Math.round((performance.timeOrigin + performance.now()) * 1000);
    const head = `${String(number).padStart(10, '0')} ${tag} ${String(micros).padStart(16, '0')} `;
    yield `${head.padEnd(BYTES - 1, '.')}\n`;
  }
}

const BYTES = 4096;
const MOST = 65_536;

/** How many pieces `text` asks for; undefined where it is no number of 1 to 65536. */
export function pieceCount(text) {
  const count = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return count >= 1 && count <= MOST ? count : undefined;
}

/** Whether `text` is a tag of eighteen digits. */
export function isTag(text) {
  return /^\d{18}$/.test(text);
}

/** `count` pieces, each made when it is asked for. */
export function* pieces(count, tag) {
  for (let number = 0; number < count; number += 1) {
    const micros = Math.round((performance.timeOrigin + performance.now()) * 1000);
    const head = `${String(number).padStart(10, '0')} ${tag} ${String(micros).padStart(16, '0')} `;
    yield `${head.padEnd(BYTES - 1, '.')}\n`;
  }
}

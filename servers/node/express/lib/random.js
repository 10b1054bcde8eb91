/** A random integer, uniform over `low` … `high`, both included. */
export function randomInteger(low, high) {
  return low + Math.floor(Math.random() * (high - low + 1));
}

/** One element of `list`, each equally likely. */
export function pick(list) {
  return list[randomInteger(0, list.length - 1)];
}

/** `count` different elements of `list` in random order; `list` must hold at least as many. */
export function sample(list, count) {
  const chosen = new Set();
  while (chosen.size < count) {
    chosen.add(pick(list));
  }
  return [...chosen];
}

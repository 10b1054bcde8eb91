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

/** Ten fresh random integers under the keys that the scenario json asks for. */
export function numbers() {
  const found = {};
  for (let number = 1; number <= 10; number += 1) {
    found[`Test Number ${number}`] = randomInteger(0, 1000);
  }
  return found;
}

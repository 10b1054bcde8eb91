/** A random integer, uniform over `low` … `high`, both included. */
export function randomInteger(low, high) {
  return low + Math.floor(Math.random() * (high - low + 1));
}

/** One element of `list`, each equally likely. */
export function pick(list) {
  return list[randomInteger(0, list.length - 1)];
}

/** Ten fresh random integers under the keys that the scenario json asks for. */
export function numbers() {
  const found = {};
  for (let number = 1; number <= 10; number += 1) {
    found[`Test Number ${number}`] = randomInteger(0, 1000);
  }
  return found;
}

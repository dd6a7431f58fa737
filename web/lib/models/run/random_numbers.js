// Pseudo-random numbers for sampling, for tasks to train on, and for tokens that the page makes up.

/** A generator of numbers in [0, 1): mulberry32, which gives the same numbers on every engine. */
export function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

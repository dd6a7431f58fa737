// Chance that can be had again: mulberry32, a small generator, the same numbers everywhere.

/** Numbers from 0 to 1 that a seed decides; without a seed by chance. */
export function randomNumbers(seed) {
  if (seed === undefined) return Math.random;
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let x = Math.imul(state ^ (state >>> 15), state | 1);
    x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
    return ((x ^ (x >>> 14)) >>> 0) / 2 ** 32;
  };
}

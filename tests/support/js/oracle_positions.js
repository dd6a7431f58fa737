// The oracles of alibiSlopes() and sinusoidalPositions(), in float64, knowing nothing of the library.
import { zeros } from './oracle_layout.js';

/** Press et al. 2021: 2^(-8(h+1)/n) for a power of two n; else those, then every other one of 2n. */
export function oracleAlibiSlopes(heads) {
  const geometric = (n) => Array.from({ length: n }, (_, h) => 2 ** ((-8 * (h + 1)) / n));
  let power = 1;
  while (2 * power <= heads) power *= 2;
  const between = geometric(2 * power).filter((_, h) => h % 2 === 0);
  return [...geometric(power), ...between].slice(0, heads);
}

/** Vaswani et al. 2017 §3.5: sin and cos of p / base^(2c/dim), side by side. */
export function oracleSinusoidalPositions(length, dim, { offset = 0, base = 10000 } = {}) {
  const table = zeros([length, dim]);
  for (let p = 0; p < length; p++) {
    for (let c = 0; 2 * c < dim; c++) {
      const angle = (offset + p) / base ** ((2 * c) / dim);
      table.data[p * dim + 2 * c] = Math.sin(angle);
      table.data[p * dim + 2 * c + 1] = Math.cos(angle);
    }
  }
  return table;
}

// erf and erfc in float64, off by less than 1e-14: the Maclaurin series near 0, a continued fraction beyond (Abramowitz &
// Stegun 7.1.5 and 7.1.14). Neither is the series of web/lib/models/run/activations.js (7.1.6), so that none tests itself.

const SERIES_UP_TO = 1;

/** 2/√π · ∫₀ˣ exp(−t²) dt */
export function erf(x) {
  if (Number.isNaN(x)) return NaN;
  return Math.abs(x) < SERIES_UP_TO ? series(x) : Math.sign(x) * (1 - fraction(Math.abs(x)));
}

/** 1 − erf(x), accurate also where erf is nearly 1. */
export function erfc(x) {
  if (Number.isNaN(x)) return NaN;
  if (Math.abs(x) < SERIES_UP_TO) return 1 - series(x);
  return x > 0 ? fraction(x) : 2 - fraction(-x);
}

// 2/√π · Σ (−1)ⁿ x²ⁿ⁺¹ / (n! (2n+1))
function series(x) {
  let power = x; // (−1)ⁿ x²ⁿ⁺¹ / n!
  let sum = x;
  for (let n = 1; Math.abs(power) > 1e-18 * Math.abs(sum); n++) {
    power *= (-x * x) / n;
    sum += power / (2 * n + 1);
  }
  return (2 / Math.sqrt(Math.PI)) * sum;
}

// exp(−x²)/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …)))), from the far end
function fraction(x) {
  if (x > 27.3) return 0;
  let tail = x;
  for (let n = 150; n >= 1; n--) tail = x + n / 2 / tail;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / tail;
}

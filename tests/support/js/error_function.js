// erf and erfc in float64, off by less than 1e-14: a series of positive terms near 0, a continued fraction
// beyond (Abramowitz & Stegun 7.1.6 and 7.1.14).

const SERIES_UP_TO = 2.5;

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

// 2/√π · exp(−x²) · Σ 2ⁿ x²ⁿ⁺¹ / (1·3·5·…·(2n+1))
function series(x) {
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

// exp(−x²)/√π · 1/(x + ½/(x + 1/(x + 3/2/(x + …)))), from the far end
function fraction(x) {
  if (x > 27.3) return 0;
  let tail = x;
  for (let n = 150; n >= 1; n--) tail = x + n / 2 / tail;
  return Math.exp(-x * x) / Math.sqrt(Math.PI) / tail;
}

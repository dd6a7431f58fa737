// Error bound of float32 results against the float64 oracles:
//
//   max(2 × error of a naive float32 run, 8·ε·formula), formula = (1 + magnitude)·(largest value)
//
// where the magnitude is the size of intermediate sums before cancellation (bound_formulas.js).

// 2^-24, the max relative error of one rounded float32 operation.
export const EPSILON = 2 ** -24;

/** { tolerance, naiveError, formula } of one result; `formula` is the product above. */
export function boundOf(exact, naive, formula) {
  const naiveError = largestError(naive, exact);
  const bound = 8 * EPSILON * formula;
  return { tolerance: Math.max(2 * naiveError, bound), naiveError, formula: bound };
}

// A naive run with a NaN or an infinity elsewhere has no finite error.
function largestError(naive, exact) {
  let worst = 0;
  exact.data.forEach((want, at) => {
    const got = naive.data[at];
    if (Object.is(got, want) || got === want) return;
    const off = Math.abs(got - want);
    if (!Number.isFinite(off)) throw new Error(`the naive run gives ${got} for ${want}`);
    worst = Math.max(worst, off);
  });
  return worst;
}

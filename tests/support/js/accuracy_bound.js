// How far float32 results may be from the oracles' float64 ones:
//
//   max(2 × error of a naive float32 run, 8·ε·formula), formula = (1 + magnitude)·(largest value)
//
// where a magnitude is how large the numbers are that meet before they cancel (bound_formulas.js).

// 2^-24, the largest relative error of one float32 operation: the sharper of its two readings.
export const EPSILON = 2 ** -24;

/** { tolerance, naiveError, formula } of one result; `formula` is the product above. */
export function boundOf(exact, naive, formula) {
  const naiveError = largestError(naive, exact);
  const bound = 8 * EPSILON * formula;
  return { tolerance: Math.max(2 * naiveError, bound), naiveError, formula: bound };
}

// A naive run that differs in a NaN or an infinity has no error to quote.
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

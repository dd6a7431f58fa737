// Similarities that are functions of two vectors, by the names under which test vectors know them
// (option `similarityFunction`). Computed in float64 from float32 vectors.

export const similarityFunctions = {
  /** Constant 1: a plain average. */
  constant: () => 1,
  /** Constant 0: denominators of 0. */
  nothing: () => 0,
  /** 1 / (1 + ‖q − k‖₁), heavy-tailed. */
  inverseDistance: (q, k) => 1 / (1 + q.reduce((sum, x, c) => sum + Math.abs(x - k[c]), 0)),
  /** 1 where the first numbers have one sign, else 0: a lookup that may find nothing. */
  sameSign: (q, k) => (q[0] * k[0] > 0 ? 1 : 0),
  /** q·k + 4, which may be negative. */
  shiftedDot: (q, k) => q.reduce((sum, x, c) => sum + x * k[c], 4),
  /** Not symmetric: tells whether the arguments came in the right order. */
  keyLength: (q, k) => k.reduce((sum, x) => sum + x * x, 0) + (q[0] > 0 ? 1 : 0),
};

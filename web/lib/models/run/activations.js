// Activation functions of heads, in float64. Layers use those of the WebAssembly module.

/** erf(x) = e^(-x²) 2/√π Σ 2ⁿ x^(2n+1) / (2n+1)!!, a series without cancellation. */
function erf(x) {
  if (Math.abs(x) > 6) return Math.sign(x);
  let term = x;
  let sum = x;
  for (let n = 1; Math.abs(term) > 1e-17 * Math.abs(sum); n++) {
    term *= (2 * x * x) / (2 * n + 1);
    sum += term;
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum;
}

const sigmoid = (x) => 1 / (1 + Math.exp(-x));

export const activations = {
  relu: (x) => Math.max(x, 0),
  gelu: (x) => 0.5 * x * (1 + erf(x / Math.SQRT2)),
  gelu_tanh: (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  quick_gelu: (x) => x * sigmoid(1.702 * x),
  silu: (x) => x * sigmoid(x),
  tanh: Math.tanh,
  sigmoid,
};

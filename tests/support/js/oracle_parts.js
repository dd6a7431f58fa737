// Parts of the oracles of models, in float64: matrices are arrays of rows, tensors of heads arrays of matrices.
import { erfc } from './error_function.js';

export const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
export const range = (count) => Array.from({ length: count }, (_, index) => index);
export const dot = (a, b) => sum(a.map((x, i) => x * b[i]));
export const added = (a, b) => a.map((row, i) => row.map((x, c) => x + b[i][c]));

export const activations = {
  relu: (x) => Math.max(x, 0),
  gelu: (x) => 0.5 * x * erfc(-x / Math.SQRT2),
  gelu_tanh: (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  silu: (x) => x / (1 + Math.exp(-x)),
  swish: (x) => x / (1 + Math.exp(-x)), // silu in configs of Marian
};

export const layerNorm = (weight, bias, epsilon) => (x) =>
  x.map((row) => {
    const mean = sum(row) / row.length;
    const variance = sum(row.map((a) => (a - mean) ** 2)) / row.length;
    return row.map((a, c) => ((a - mean) / Math.sqrt(variance + epsilon)) * weight[c] + bias[c]);
  });

export const rmsNorm = (weight, epsilon) => (x) =>
  x.map((row) => {
    const size = Math.sqrt(sum(row.map((a) => a * a)) / row.length + epsilon);
    return row.map((a, c) => (a / size) * weight[c]);
  });

/** y = x·Wᵀ + b of a matrix out × in. */
export const linear = (matrix, bias) => (x) =>
  x.map((row) => matrix.map((of, out) => dot(of, row) + (bias ? bias[out] : 0)));

export const split = (x, heads) => {
  const d = x[0].length / heads;
  return range(heads).map((h) => x.map((row) => row.slice(h * d, (h + 1) * d)));
};

/** Numbers c and c + half of each row are rotated by position · base^(−2c / (2·half)). */
export const rotary = (half, base) => (head) =>
  head.map((row, p) =>
    row.map((a, c) => {
      if (c >= 2 * half) return a;
      const angle = p * base ** (-(c % half) / half);
      const other = c < half ? -row[c + half] : row[c - half];
      return a * Math.cos(angle) + other * Math.sin(angle);
    }),
  );

/** Readers of tensors by name: rows of a matrix, numbers of a vector. */
export function readers(weights) {
  const numbers = (name) => {
    const tensor = weights.get(name);
    return tensor && Array.from(tensor.data);
  };
  const rows = (name) => {
    const { data, dims } = weights.get(name);
    const [count, width] = dims;
    return range(count).map((row) => Array.from(data.slice(row * width, (row + 1) * width)));
  };
  const dense = (name) => linear(rows(`${name}.weight`), numbers(`${name}.bias`));
  /** The matrix W_O, out × in, and its bias. */
  const output = (name) => ({ matrix: rows(`${name}.weight`), bias: numbers(`${name}.bias`) });
  const norm = (name, epsilon) => {
    const [weight, bias] = weights.has(`${name}.gamma`) ? ['gamma', 'beta'] : ['weight', 'bias'];
    return layerNorm(numbers(`${name}.${weight}`), numbers(`${name}.${bias}`), epsilon);
  };
  const rms = (name, epsilon) => rmsNorm(numbers(`${name}.weight`), epsilon);
  return { numbers, rows, dense, output, norm, rms };
}

export const then =
  (...steps) =>
  (x) =>
    steps.reduce((y, step) => step(y), x);
export const each = (activation) => (x) => x.map((row) => row.map(activations[activation]));
export const transposed = (matrix) => matrix[0].map((_, c) => matrix.map((row) => row[c]));
export const identity = (x) => x;

// The oracles of the Transformer's encoder and decoder layers, in float64, knowing nothing of the library. Given
// Math.fround as `round` the same text is the naive float32 run.
//
//   post-norm: x = norm(x + part(x)) for each part     normFirst: x = x + part(norm(x))
//   parts: self-attention, (decoder: attention to the memory,) feed-forward = linear2(activation(linear1(x)))
import { erfc } from './error_function.js';
import { unrounded, zeros } from './oracle_layout.js';
import { fromTorchNames, linear, oracleMultiHead, transposed } from './oracle_multi_head.js';

/** { output, weights, averageWeights, trace }; `state` has PyTorch's names. */
export function oracleEncoderLayer(state, construct, x, options = {}, round = unrounded) {
  const { layer, self, feedForward, trace } = partsOf(state, construct, round);
  const first = self('self_attn', x, options);
  const second = layer(2, first.x, feedForward);
  return {
    output: second.x,
    weights: first.weights,
    averageWeights: first.averageWeights,
    trace,
  };
}

/** The same and crossWeights, averageCrossWeights. `cross`: the options of the attention to the memory. */
export function oracleDecoderLayer(
  state,
  construct,
  x,
  memory,
  options = {},
  cross = {},
  round = unrounded,
) {
  const { layer, self, lookAt, feedForward, trace } = partsOf(state, construct, round);
  const first = self('self_attn', x, options);
  const second = layer(2, first.x, (normed) => lookAt('multihead_attn', normed, memory, cross));
  const third = layer(3, second.x, feedForward);
  return {
    output: third.x,
    weights: first.weights,
    averageWeights: first.averageWeights,
    crossWeights: second.weights,
    averageCrossWeights: second.averageWeights,
    trace,
  };
}

// `trace` keeps what went into every attention and norm and came out of attentions, for accuracy bounds.
function partsOf(state, construct, round) {
  const { heads, prefix = '', normFirst = false, activation = 'relu' } = construct;
  const { norm: kind = 'layer', epsilon = 1e-5 } = construct;
  const at = (name) => state[prefix + name];
  const trace = { attentions: /** @type {object[]} */ ([]), norms: /** @type {object[]} */ ([]) };

  const normed = (n, x) => {
    trace.norms.push({ kind, epsilon, x });
    return norm(kind, x, at(`norm${n}.weight`), at(`norm${n}.bias`), epsilon, round);
  };
  const layer = (n, x, part) => {
    const { output, ...rest } = part(normFirst ? normed(n, x) : x);
    const sum = added(x, output, round);
    return { ...rest, x: normFirst ? sum : normed(n, sum) };
  };
  const lookAt = (name, x, context, options) => {
    const parameters = fromTorchNames(state, `${prefix}${name}.`);
    const exact = oracleMultiHead(parameters, { heads }, x, context, options, round);
    trace.attentions.push({ parameters, sizes: { heads }, x, context, options, exact });
    return exact;
  };
  const self = (name, x, options) => layer(1, x, (inner) => lookAt(name, inner, inner, options));
  const feedForward = (x) => {
    const wide = linear(x, transposed(at('linear1.weight')), at('linear1.bias'), round);
    const data = wide.data.map((number) => activations[activation](number, round));
    const bent = { dims: wide.dims, data };
    return { output: linear(bent, transposed(at('linear2.weight')), at('linear2.bias'), round) };
  };
  return { layer, self, lookAt, feedForward, trace };
}

/** The activations, of one number. */
export const activations = {
  relu: (x) => (x < 0 ? 0 : x),
  // x·Φ(x)
  gelu: (x, round = unrounded) =>
    round(x * round(0.5 * round(erfc(round(-x / round(Math.SQRT2)))))),
  gelu_tanh: (x, round = unrounded) => {
    const cube = round(round(x * x) * x);
    const inner = round(x + round(round(0.044715) * cube));
    const bent = round(Math.tanh(round(round(Math.sqrt(2 / Math.PI)) * inner)));
    return round(round(0.5 * x) * round(1 + bent));
  },
};

/** layer: (x − mean)/√(variance + ε)·weight + bias; rms: x/√(mean(x²) + ε)·weight; over the last axis. */
export function norm(kind, x, weight, bias, epsilon, round = unrounded) {
  const width = x.dims.at(-1);
  const out = zeros(x.dims);
  for (let start = 0; start < x.data.length; start += width) {
    const row = x.data.subarray(start, start + width);
    const { center, spread } = momentsOf(kind, row, epsilon, round);
    row.forEach((number, c) => {
      const scaled = round(round(round(number - center) / spread) * weight.data[c]);
      out.data[start + c] = bias ? round(scaled + bias.data[c]) : scaled;
    });
  }
  return out;
}

/** Center that a norm subtracts from a row, and its divisor. */
export function momentsOf(kind, row, epsilon, round = unrounded) {
  const mean = (numbers) => round(numbers.reduce((a, b) => round(a + b)) / numbers.length);
  const center = kind === 'rms' ? 0 : mean(Array.from(row));
  const squares = Array.from(row, (x) => {
    const off = round(x - center);
    return round(off * off);
  });
  return { center, spread: round(Math.sqrt(round(mean(squares) + epsilon))) };
}

function added(a, b, round) {
  return { dims: b.dims, data: b.data.map((x, at) => round(a.data[at] + x)) };
}

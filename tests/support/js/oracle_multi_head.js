// The oracle of the multi-head layer ("Attention Is All You Need" §3.2.2), in float64, independent of the
// library. With Math.fround as `round` it is the naive float32 run.
//
//   q = x W_Q + b_Q   k = c W_K + b_K   v = c W_V + b_V   output = concat_h(attention(q_h, k_h, v_h)) W_O + b_O
import { oracleAttention } from './oracle.js';
import { splitHeads, unrounded, zeros } from './oracle_layout.js';

/**
 * Everything forward() and project() can give. `parameters`: in × out matrices, as fromWeights() takes them.
 * x and context are rank 3 or 2.
 */
export function oracleMultiHead(parameters, sizes, x, context, options = {}, round = unrounded) {
  const { heads, kvHeads = heads } = sizes;
  const { query, key, value, output } = parameters;
  const q = linear(x, query, parameters.queryBias, round);
  const k = linear(context, key, parameters.keyBias, round);
  const v = linear(context, value, parameters.valueBias, round);
  const attended = oracleAttention(q, k, v, { ...options, heads, kvHeads }, round);
  const perHead = splitHeads(attended.output, heads);
  return {
    ...attended,
    output: linear(attended.output, output, parameters.outputBias, round),
    concatenated: attended.output,
    headOutputs:
      x.dims.length === 2 ? { dims: perHead.dims.slice(1), data: perHead.data } : perHead,
    query: splitHeads(q, heads),
    key: splitHeads(k, kvHeads),
    value: splitHeads(v, kvHeads),
  };
}

/** x W + b over the last axis; W is in × out. weight.ofRows, if there, takes x and returns what is multiplied. */
export function linear(given, weight, bias, round = unrounded) {
  const [inputs, outputs] = weight.dims;
  const x = weight.ofRows?.(given) ?? given;
  if (x.dims.at(-1) !== inputs) throw new Error(`${x.dims} times ${weight.dims}`);
  const result = zeros([...x.dims.slice(0, -1), outputs]);
  for (let row = 0; row < x.data.length / inputs; row++) {
    for (let o = 0; o < outputs; o++) {
      let sum = 0;
      for (let i = 0; i < inputs; i++) {
        const product = round(x.data[row * inputs + i] * weight.data[i * outputs + o]);
        sum = i === 0 ? product : round(sum + product);
      }
      result.data[row * outputs + o] = bias ? round(sum + bias.data[o]) : sum;
    }
  }
  return result;
}

/** The parameters of oracleMultiHead() from the names and out × in matrices of nn.MultiheadAttention. */
export function fromTorchNames(state, prefix = '') {
  const at = (name) => state[prefix + name];
  const packed = at('in_proj_weight');
  const third = (tensor, n) => {
    if (!tensor) return undefined;
    const rows = tensor.dims[0] / 3;
    const inner = tensor.data.length / tensor.dims[0];
    return {
      dims: [rows, ...tensor.dims.slice(1)],
      data: tensor.data.slice(n * rows * inner, (n + 1) * rows * inner),
    };
  };
  const part = (n, name) => transposed(packed ? third(packed, n) : at(name));
  return {
    query: part(0, 'q_proj_weight'),
    key: part(1, 'k_proj_weight'),
    value: part(2, 'v_proj_weight'),
    output: transposed(at('out_proj.weight')),
    queryBias: third(at('in_proj_bias'), 0),
    keyBias: third(at('in_proj_bias'), 1),
    valueBias: third(at('in_proj_bias'), 2),
    outputBias: at('out_proj.bias'),
  };
}

/** A matrix with rows and columns exchanged: PyTorch's out × in as in × out. */
export function transposed({ dims: [rows, columns], data, ofRows }) {
  const out = new data.constructor(data.length);
  for (let r = 0; r < rows; r++)
    for (let c = 0; c < columns; c++) out[c * rows + r] = data[r * columns + c];
  return { dims: [columns, rows], data: out, ofRows };
}

// Translates a test vector of attention to ONNX's Attention operator (ai.onnx, opset 24): inputs, attributes and
// outputs, or the reason why that is impossible.

import { onnxModel } from './onnx_writer.js';

/** qk_matmul_output_mode of each expected result. */
const modes = { rawScores: 0, cappedScores: 1, biasedScores: 2, weights: 3 };

/** Expected results without an output of the operator. */
export const notGiven = ['logSumExp', 'averageWeights'];

const sizeOf = (dims) => dims.reduce((a, b) => a * b, 1);

/** Tensors of rank 2 are a batch of one. */
const batched = ({ dims, data }) => ({ dims: dims.length === 2 ? [1, ...dims] : dims, data });

function sizesOf({ inputs: { query, key }, options: { heads = 1, kvHeads = heads } }) {
  const [q, k] = [batched(query).dims, batched(key).dims];
  if (q.length === 4) {
    return { batch: q[0], heads: q[1], kvHeads: k[1], qLen: q[2], kLen: k[2] };
  }
  return { batch: q[0], heads, kvHeads, qLen: q[1], kLen: k[1] };
}

/** An element of a tensor that is repeated to batch × heads × qLen × kLen. */
function repeated({ dims, data }, index) {
  let at = 0;
  dims.forEach((size, axis) => {
    at = at * size + (size === 1 ? 0 : index[axis + 4 - dims.length]);
  });
  return data[at];
}

function biasOf(mask, index) {
  if (!mask) return 0;
  const element = repeated(mask, index);
  if (mask.data instanceof Float32Array) return element;
  return element === 0 ? -Infinity : 0;
}

/** Mask, causal, window, lengths and slopes combined into one mask of four axes. */
function maskOfAll({ inputs, options }, { batch, heads, qLen, kLen }) {
  const { causal, window, keyLengths, slopes, offset = 0 } = options;
  const [left, right] = (window ?? [null, null]).map((reach) => reach ?? Infinity);
  const isAdded = inputs.mask?.data instanceof Float32Array || slopes !== undefined;
  const dims = [batch, heads, qLen, kLen];
  const data = new (isAdded ? Float32Array : Uint8Array)(sizeOf(dims));
  let at = 0;
  for (let b = 0; b < batch; b++)
    for (let h = 0; h < heads; h++)
      for (let i = 0; i < qLen; i++)
        for (let j = 0; j < kLen; j++) {
          const place = (Array.isArray(offset) ? offset[b] : offset) + i;
          const isSeen =
            (!causal || j <= place) &&
            j >= place - left &&
            j <= place + right &&
            j < (keyLengths?.[b] ?? Infinity);
          const slope = slopes ? slopes[h] * Math.abs(place - j) : 0;
          const bias = isSeen ? biasOf(inputs.mask, [b, h, i, j]) - slope : -Infinity;
          data[at++] = isAdded ? bias : bias === 0;
        }
  return { dims, data };
}

/** Splits keys or values: rows before the queries are the operator's past. */
function partedAt(count, { dims, data }) {
  const [batch, heads, rows, width] = dims;
  const take = (from, to) => {
    const part = new Float32Array(batch * heads * (to - from) * width);
    for (let n = 0; n < batch * heads; n++) {
      const start = n * rows * width;
      const piece = data.subarray(start + from * width, start + to * width);
      part.set(piece, n * (to - from) * width);
    }
    return { dims: [batch, heads, to - from, width], data: part };
  };
  return [take(0, count), take(count, rows)];
}

/** The smallest set of inputs and attributes for the options. */
function visibility(vector, sizes) {
  const { mask, key, value } = vector.inputs;
  const { causal, window, keyLengths, slopes, offset = 0 } = vector.options;
  const inputs = mask ? { mask } : {};
  const is_causal = { integer: 1 };
  if (!window && !slopes && !keyLengths) {
    if (!causal) return { inputs };
    if (offset === 0) return { inputs, attributes: { is_causal } };
    if (offset > 0 && offset < sizes.kLen && key.dims.length === 4) {
      const [pastKey, newKey] = partedAt(offset, key);
      const [pastValue, newValue] = partedAt(offset, value);
      const parts = { key: newKey, value: newValue, pastKey, pastValue };
      return { inputs: { ...inputs, ...parts }, attributes: { is_causal } };
    }
  } else if (!window && !slopes && !causal && !mask) {
    const data = BigInt64Array.from(keyLengths, BigInt);
    return { inputs: { lengths: { dims: [sizes.batch], data } } };
  }
  return { inputs: { mask: maskOfAll(vector, sizes) } };
}

const order = ['query', 'key', 'value', 'mask', 'pastKey', 'pastValue', 'lengths'];
const types = { Float32Array: 'float32', Uint8Array: 'bool', BigInt64Array: 'int64' };

/** A model of the one operator; mode: its qk_matmul_output_mode, if any. */
function modelOf({ inputs, attributes, outputDims, pairDims }, mode) {
  const named = order.map((name) => (inputs[name] ? name : ''));
  const past = inputs.pastKey ? ['presentKey', 'presentValue'] : ['', ''];
  const isAsked = mode !== undefined;
  const asked = isAsked && { qk_matmul_output_mode: { integer: mode } };
  const outputs = ['output', ...past, ...(isAsked ? ['pairs'] : [])];
  return onnxModel({
    opset: 24,
    inputs,
    outputs: { output: outputDims, ...(isAsked && { pairs: pairDims }) },
    nodes: [['Attention', named, outputs, { ...attributes, ...asked }]],
  });
}

/**
 * @param {object} vector of readVectors(), of attention
 * @param {boolean} [isSpread] whether its mask is repeated beforehand, along all four axes
 * @returns {{ inputs, results } | undefined} undefined if the operator cannot express it. inputs: tensors { type, dims, data } by
 *   name; results: for each that the vector expects and the operator gives { name, output, model }
 */
export function operatorCall(vector, isSpread = false) {
  const { options, expected } = vector;
  if (options.sinks) return undefined;
  const sizes = sizesOf(vector);
  const hiding = visibility(vector, sizes);
  if (isSpread && hiding.inputs.mask) {
    const { mask } = hiding.inputs;
    hiding.inputs.mask = maskOfAll({ inputs: { mask }, options: {} }, sizes);
  }
  const { query, key, value } = vector.inputs;
  const tensors = { query: batched(query), key: batched(key), value: batched(value) };
  const inputs = {};
  for (const [name, { dims, data }] of Object.entries({ ...tensors, ...hiding.inputs })) {
    inputs[name] = { type: types[data.constructor.name], dims, data };
  }
  const attributes = { ...hiding.attributes };
  if (options.scale !== undefined) attributes.scale = { float: options.scale };
  if (options.softcap !== undefined) attributes.softcap = { float: options.softcap };
  if (inputs.query.dims.length === 3) {
    attributes.q_num_heads = { integer: sizes.heads };
    attributes.kv_num_heads = { integer: sizes.kvHeads };
  }
  const call = {
    inputs,
    attributes,
    outputDims: [...inputs.query.dims.slice(0, -1), expected.output.dims.at(-1)],
    pairDims: [sizes.batch, sizes.heads, sizes.qLen, sizes.kLen],
  };
  const results = Object.keys(expected)
    .filter((name) => !notGiven.includes(name))
    .map((name) => ({
      name,
      output: name === 'output' ? 'output' : 'pairs',
      model: modelOf(call, modes[name]),
    }));
  return { inputs, results };
}

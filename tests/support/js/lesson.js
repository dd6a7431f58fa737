// The numbers of the tour, computed in float64 from the model file alone: the first
// self-attention of the encoder, step by step.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSafetensors } from 'attention-wasm/safetensors';
import { root } from './package.js';

/** @import { NumberArray } from '../../../web/lib/arguments/typed_array.js' */

const { tensors, metadata } = parseSafetensors(
  readFileSync(join(root, 'web/model/english_french.safetensors')),
);
export const heads = Number(metadata.get('heads'));

/** The numbers and dims of a tensor of the file. */
function stored(name) {
  const tensor = tensors.get(name);
  if (!tensor) throw new Error(`the file has no ${name}`);
  return { data: /** @type {NumberArray} */ (tensor.data), dims: tensor.dims };
}

/** A matrix of the file as rows of doubles; int8 times the scale of its row. */
function rowsOf(name) {
  const { data, dims } = stored(name);
  const scales = tensors.has(`${name}.scales`) ? stored(`${name}.scales`).data : undefined;
  return Array.from({ length: dims[0] }, (_, row) =>
    Array.from(data.subarray(row * dims[1], (row + 1) * dims[1]), (x) => x * (scales?.[row] ?? 1)),
  );
}
const listOf = (name) => Array.from(stored(name).data);

export const table = rowsOf('embedding.weight');
const dim = table[0].length;
export const keyDim = dim / heads;

/** A row as int8 matrices multiply it: rounded to 8,191 steps to its largest number. */
function integersOf(row) {
  const range = Math.max(...row.map(Math.abs));
  return row.map((x) => (Math.round((x * 8191) / range) * range) / 8191);
}

const dot = (a, b) => a.reduce((sum, x, at) => sum + x * b[at], 0);
const mean = (list) => list.reduce((sum, x) => sum + x, 0) / list.length;
export const variance = (list) => mean(list.map((x) => (x - mean(list)) ** 2));

function wave(position) {
  return Array.from({ length: dim }, (_, at) => {
    const angle = position / 10_000 ** ((at - (at % 2)) / dim);
    return at % 2 === 0 ? Math.sin(angle) : Math.cos(angle);
  });
}

function softmax(scores) {
  const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** All intermediate results for token ids, from the embedding E to the first layer's attention output. */
export function workOut(ids) {
  const e = ids.map((id) => table[id]);
  const p = ids.map((_, at) => wave(at));
  const layer = 'encoder.layers.0';
  const [size, shift] = [listOf(`${layer}.norm1.weight`), listOf(`${layer}.norm1.bias`)];
  const x = e.map((row, at) => {
    const sum = row.map((number, c) => number * Math.sqrt(dim) + p[at][c]);
    const spread = Math.sqrt(variance(sum) + 1e-5);
    return sum.map((number, c) => ((number - mean(sum)) / spread) * size[c] + shift[c]);
  });
  const stacked = rowsOf(`${layer}.self_attn.in_proj_weight`); // out × in, of query, key and value
  const biases = listOf(`${layer}.self_attn.in_proj_bias`);
  const project = (which, head) => {
    const first = which * dim + head * keyDim;
    const weights = stacked.slice(first, first + keyDim);
    return {
      weights,
      rows: x.map((row) => {
        const integers = integersOf(row);
        return weights.map((one, c) => dot(integers, one) + biases[first + c]);
      }),
    };
  };
  const ofHead = Array.from({ length: heads }, (_, head) => {
    const [query, key, value] = [0, 1, 2].map((which) => project(which, head));
    const raw = query.rows.map((q) => key.rows.map((k) => dot(q, k)));
    const scaled = raw.map((row) => row.map((score) => score / Math.sqrt(keyDim)));
    const weights = scaled.map(softmax);
    const unscaled = raw.map(softmax);
    const output = weights.map((row) =>
      value.rows[0].map((_, c) =>
        row.reduce((sum, weight, j) => sum + weight * value.rows[j][c], 0),
      ),
    );
    return { query, key, value, raw, scaled, weights, unscaled, output };
  });
  const outWeights = rowsOf(`${layer}.self_attn.out_proj.weight`);
  const outBias = listOf(`${layer}.self_attn.out_proj.bias`);
  const joined = ids.map((_, row) => ofHead.flatMap(({ output }) => output[row]));
  const result = joined.map((row) => {
    const integers = integersOf(row);
    return outWeights.map((one, c) => dot(integers, one) + outBias[c]);
  });
  return { e, p, x, ofHead, joined, outWeights, result };
}

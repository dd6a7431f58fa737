// A safetensors file with a layer's projections: W_Q and W_K (d × heads·d_k), W_V (d × heads·d_v),
// q = x · W_Q as in the papers, and optionally b_Q, b_K, b_V. How many heads: "heads" in the file's
// __metadata__, or the page's control.

import { openSafetensors } from 'attention-wasm/safetensors';
import { requireDivisor } from './heads.js';

const matrices = ['W_Q', 'W_K', 'W_V'];
const biases = ['b_Q', 'b_K', 'b_V'];
const floats = ['float32', 'float64', 'float16', 'bfloat16'];

/** Resolves to { dim, heads | null, widths, weights }; rejects with a sentence. */
export async function openProjections(file) {
  const opened = await openSafetensors(file);
  const missing = matrices.filter((name) => !opened.names.includes(name));
  if (missing.length > 0) {
    const has = opened.names.slice(0, 6).join(', ');
    throw new Error(
      `it has no ${missing.join(', no ')}; W_Q, W_K and W_V are needed, and it has ${has || 'nothing'}` +
        `${opened.names.length > 6 ? ' …' : ''}`,
    );
  }
  const tensors = await opened.readMany([
    ...matrices,
    ...biases.filter((name) => opened.names.includes(name)),
  ]);
  const dims = (name) => tensors.get(name).dims;
  for (const [name, { type, dims: found }] of tensors) {
    if (!floats.includes(type)) throw new Error(`${name} is of ${type}, and should be of floats`);
    const rank = matrices.includes(name) ? 2 : 1;
    if (found.length !== rank) {
      throw new Error(`${name} has dims ${found.join(' × ')}, and should have ${rank}`);
    }
  }
  for (const [name, { data }] of tensors) {
    const bad = data.findIndex((number) => !Number.isFinite(Number(number)));
    if (bad >= 0) throw new Error(`number ${bad + 1} of ${name} is ${data[bad]}`);
  }
  const [query, key, value] = matrices.map(dims);
  for (const [name, [rows]] of [
    ['W_K', key],
    ['W_V', value],
  ]) {
    if (rows !== query[0]) {
      throw new Error(
        `${name} is ${dims(name).join(' × ')} and W_Q is ${query.join(' × ')}: the first numbers must be equal, the length of a word’s vector`,
      );
    }
  }
  if (query[1] !== key[1]) {
    throw new Error(
      `W_Q is ${query.join(' × ')} and W_K is ${key.join(' × ')}: the second numbers must be equal, heads × d_k`,
    );
  }
  const written = opened.metadata.get('heads');
  const heads = written === undefined ? null : Number(written);
  if (heads !== null && !(Number.isInteger(heads) && heads > 0)) {
    throw new Error(`its metadata says heads = “${written}”, which is no whole number above 0`);
  }
  if (heads !== null) requireDivisor(heads, query[1], value[1]);
  const [W_Q, W_K, W_V, b_Q, b_K, b_V] = [...matrices, ...biases].map((name) => tensors.get(name));
  return {
    dim: query[0],
    heads,
    widths: [query[1], value[1]],
    weights: {
      query: W_Q,
      key: W_K,
      value: W_V,
      queryBias: b_Q,
      keyBias: b_K,
      valueBias: b_V,
    },
  };
}

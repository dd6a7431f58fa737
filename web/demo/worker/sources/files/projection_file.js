// Safetensors file with the projections of one or more layers, under the names in projection_names.js, for q = x · W_Q.
// The number of heads comes from "heads" in __metadata__, a config.json, or the page's control.

import { openSafetensors } from 'attention-wasm/safetensors';
import { sizeOf } from '../../../tensors.js';
import { keyHeadsFor } from '../heads.js';
import { cut, findLayers, readNames } from './projection_names.js';

const floats = ['float32', 'float64', 'float16', 'bfloat16'];
const roles = ['query', 'key', 'value'];
const symbols = ['W_Q', 'W_K', 'W_V'];
const maxNumbers = 1 << 25; // max numbers in all layers, 128 MB

/**
 * Resolves to { dim, heads | null, widths, mixed, layers, left }, or rejects with a message. `widths`: of query, key
 * and value, where keys may have fewer heads (grouped-query attention). A layer is { name, weightsFor(heads) }.
 */
export async function openProjections(file) {
  const opened = await openSafetensors(file);
  const dimsOf = (name) => opened.describe(name).dims;
  const found = findLayers(opened.names, dimsOf);
  if (found.length === 0) throw new Error(whatIsMissing(opened.names));
  const layers = [];
  let numbers = 0;
  for (const { prefix, weights, biases } of found) {
    const names = new Set([...weights, ...biases].filter(Boolean).map(({ name }) => name));
    for (const name of names) numbers += sizeOf(dimsOf(name));
    if (layers.length > 0 && numbers > maxNumbers) break;
    const layer = await readLayer(opened, names, { weights, biases });
    const { widths } = layer;
    const [first] = layers;
    // Layers of another width would need other input vectors.
    if (first && (first.dim !== layer.dim || `${first.widths}` !== `${widths}`)) continue;
    layers.push({ name: prefix.replace(/[./]$/, ''), ...layer });
  }
  const [{ dim, widths, mixed }] = layers;
  const heads = headsIn(opened.metadata);
  if (heads !== null) keyHeadsFor(heads, widths);
  return { dim, heads, widths, mixed, layers, left: found.length - layers.length };
}

function whatIsMissing(names) {
  const has = `${names.slice(0, 6).join(', ') || 'nothing'}${names.length > 6 ? ' …' : ''}`;
  const missing = symbols.filter((name) => !names.includes(name));
  if (missing.length < 3) {
    return `it has no ${missing.join(', no ')}; W_Q, W_K and W_V are needed, and it has ${has}`;
  }
  return `it has no projections by a name that is known (${readNames}); it has ${has}`;
}

async function readLayer(opened, names, { weights, biases }) {
  const tensors = await opened.readMany([...names]);
  for (const [name, tensor] of tensors) requireNumbers(name, tensor);
  for (const { name } of weights) requireRank(name, tensors.get(name), 2);
  for (const bias of biases) if (bias) requireRank(bias.name, tensors.get(bias.name), 1);
  const take = (slice, heads) => (slice ? cut(tensors.get(slice.name), slice, heads) : undefined);
  const [query, key, value] = weights.map((slice) => take(slice, 1));
  requireWidths(
    weights.map(({ name }) => name),
    { query, key, value },
  );
  return {
    dim: query.dims[0],
    widths: [query, key, value].map(({ dims }) => dims[1]),
    mixed: Boolean(weights[0].mixed),
    weightsFor(heads) {
      const [ownQuery, ownKey, ownValue] = weights.map((slice) => take(slice, heads));
      const [queryBias, keyBias, valueBias] = biases.map((slice) => take(slice, heads));
      return { query: ownQuery, key: ownKey, value: ownValue, queryBias, keyBias, valueBias };
    },
  };
}

function requireNumbers(name, { type, data }) {
  if (!floats.includes(type)) throw new Error(`${name} is of ${type}, and should be of floats`);
  const bad = data.findIndex(notFinite[type] ?? ((number) => !Number.isFinite(number)));
  if (bad >= 0) throw new Error(`number ${bad + 1} of ${name} is ${spelled(type, data[bad])}`);
}

// Tests the bits: an exponent of all ones is NaN or infinite.
const notFinite = {
  float16: (bits) => (bits & 0x7c00) === 0x7c00,
  bfloat16: (bits) => (bits & 0x7f80) === 0x7f80,
};

function spelled(type, number) {
  if (!notFinite[type]) return String(number);
  const fraction = number & (type === 'float16' ? 0x3ff : 0x7f);
  if (fraction !== 0) return 'NaN';
  return number & 0x8000 ? '-Infinity' : 'Infinity';
}

function requireRank(name, { dims }, rank) {
  if (dims.length !== rank) {
    throw new Error(`${name} has dims ${dims.join(' × ')}, and should have ${rank}`);
  }
}

/** Checks sizes for q = x·W_Q, k = x·W_K and v = x·W_V; messages give them as in × out. */
function requireWidths(names, matrices) {
  const [query, key, value] = roles.map((role) => matrices[role].dims);
  const told = (at, dims) => `${names[at]} is ${dims.join(' × ')}`;
  for (const [at, dims] of [
    [1, key],
    [2, value],
  ]) {
    if (dims[0] !== query[0]) {
      throw new Error(
        `${told(at, dims)} and ${told(0, query)}: the first numbers must be equal, the length of a word’s vector`,
      );
    }
  }
  // Several query heads may share one key head.
  if (query[1] % key[1] !== 0) {
    throw new Error(
      `${told(0, query)} and ${told(1, key)}: the second numbers must be equal, heads × d_k, or the first a multiple of the other`,
    );
  }
}

function headsIn(metadata) {
  const written = metadata.get('heads');
  if (written === undefined) return null;
  const heads = Number(written);
  if (Number.isInteger(heads) && heads > 0) return heads;
  throw new Error(`its metadata says heads = “${written}”, which is no whole number above 0`);
}

// JSON with queries, keys and values, or weights: an export of this page, an object with nested lists (or { dims, data
// }) under common names, or one nested list.

import { sizeOf } from '../../../tensors.js';
import { findArrays, findLabels } from './array_names.js';

/**
 * @returns {{ arrays?: Record<string, { data, dims }>, list?: { data, dims }, labels, saved }} `arrays` by role; `list`: an
 * array without a name; `labels`: result of findLabels(); `saved`: state in an export of this page
 */
export function readJSON(text) {
  const parsed = parse(text);
  if (Array.isArray(parsed)) return { list: readArray(parsed, 'the list') };
  if (typeof parsed !== 'object' || parsed === null) {
    throw new Error(`it is ${JSON.stringify(parsed)}, and should be an object or a list`);
  }
  const valueOf = (name) => (Object.hasOwn(parsed, name) ? parsed[name] : undefined);
  const found = findArrays(
    (name) => valueOf(name) != null,
    () => Object.keys(parsed),
  );
  const arrays = {};
  for (const [role, name] of Object.entries(found)) arrays[role] = readArray(parsed[name], name);
  const saved = parsed.from === 'attention-wasm' ? readSaved(parsed) : null;
  // Tokens before pieces were merged and heads averaged.
  if (saved?.weights) arrays.weights = saved.weights;
  return { arrays, labels: saved ? undefined : findLabels(valueOf), saved };
}

function parse(text) {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // Python writes NaN and Infinity, which are not JSON.
    const found = /(?<=[[,:\s])(NaN|-?Infinity)(?=[\s,\]}])/.exec(text);
    if (!found) throw new Error(`it is not JSON: ${error.message}`, { cause: error });
    const line = text.slice(0, found.index).split('\n').length;
    throw new Error(`line ${line} has ${found[0]}, which is no number`, { cause: error });
  }
}

/** Nested lists, or { dims, data }, as a tensor. */
function readArray(given, name) {
  if (!Array.isArray(given)) return readTensor(given, name);
  const dims = [];
  for (let one = given; Array.isArray(one); [one] = one) dims.push(one.length);
  const data = [];
  const take = (list, depth, place) => {
    if (!Array.isArray(list) || list.length !== dims[depth]) {
      const found = Array.isArray(list) ? `${list.length} entries` : JSON.stringify(list);
      throw new Error(`${name}${place} has ${found}, where the first has ${dims[depth]}`);
    }
    list.forEach((one, at) => {
      const here = `${place}[${at}]`;
      if (depth + 1 < dims.length) take(one, depth + 1, here);
      else if (typeof one === 'number') data.push(one);
      else throw new Error(`${name}${here} is ${JSON.stringify(one)}, no number`);
    });
  };
  take(given, 0, '');
  return { data: Float32Array.from(data), dims };
}

function readTensor(given, name) {
  const { dims, data } = Object(given);
  const isDims = Array.isArray(dims) && dims.every((dim) => Number.isInteger(dim) && dim >= 0);
  if (!isDims || !Array.isArray(data)) {
    throw new Error(`${name} should be a list of lists, or have dims and data`);
  }
  const count = sizeOf(dims);
  if (data.length !== count) {
    throw new Error(`${name} has ${data.length} numbers and dims ${dims.join(' × ')}`);
  }
  const bad = data.findIndex((one) => typeof one !== 'number');
  if (bad >= 0) throw new Error(`number ${bad + 1} of ${name} is ${JSON.stringify(data[bad])}`);
  return { data: Float32Array.from(data), dims };
}

// State in an export of this page: tokens, texts, and the address of the same picture.
function readSaved({ part, link, texts, tokens }) {
  if (typeof tokens !== 'object' || tokens === null) return null;
  const { rows, columns, x, weights, ordered, causal, scale } = tokens;
  const isLabel = (one) => typeof one?.text === 'string' && Number.isInteger(one.word);
  const areLabels = (list) => Array.isArray(list) && list.every(isLabel);
  const good =
    areLabels(rows) &&
    (columns === null || areLabels(columns)) &&
    (scale === undefined || Number.isFinite(scale)) &&
    Array.isArray(texts) &&
    texts.every((text) => typeof text === 'string');
  if (!good) throw new Error('what it says of its tokens is not as this page writes it');
  const vectors = (given, name) => (given ? readArray(given, name) : null);
  return {
    ...{ rows, columns, texts, scale },
    name: typeof part === 'string' ? part : '',
    weights: vectors(weights, 'weights'),
    x: x ? { rows: vectors(x.rows, 'x'), columns: vectors(x.columns, 'x') } : null,
    ordered: ordered === true,
    causal: causal === true,
    link: typeof link === 'string' ? link : '',
  };
}

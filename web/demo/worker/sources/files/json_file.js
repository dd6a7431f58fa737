// JSON with queries, keys and values, or weights: an export of this page, an object with nested lists (or { dims, data
// }) under common names, or one nested list.

import { messageOf } from '../../../../lib/arguments/message_of.js';
import { sizeOf } from '../../../tensors.js';
import { findArrays, findLabels } from './array_names.js';
import { readFound, stackLayers } from './own_arrays.js';

/** @import { FileArray } from './own_arrays.js' */

/**
 * State in an export of this page: tokens, texts, and the address of the same picture.
 * @typedef {object} Saved
 * @property {{ text: string, word: number, special?: boolean, start?: number | null, end?: number | null }[]} rows
 * @property {Saved['rows'] | null} columns null: the rows
 * @property {string[]} texts
 * @property {number} [scale]
 * @property {string} name
 * @property {FileArray | null} weights tokens before pieces were merged and heads averaged
 * @property {{ rows: FileArray, columns: FileArray } | null} x
 * @property {boolean} ordered
 * @property {boolean} causal
 * @property {string} link
 */
/**
 * A list is an array without a name.
 * @param {string} text
 */
export async function readJSON(text) {
  const parsed = parse(text);
  if (Array.isArray(parsed)) return { unnamed: readArray(parsed, 'the list') };
  if (typeof parsed !== 'object' || parsed === null) {
    throw new Error(`it is ${JSON.stringify(parsed)}, and should be an object or a list`);
  }
  /** @param {string} name */
  const valueOf = (name) => (Object.hasOwn(parsed, name) ? parsed[name] : undefined);
  const found = findArrays(Object.keys(parsed).filter((name) => valueOf(name) != null));
  const { arrays, unnamed } = await readFound(found, (names) =>
    stackLayers(
      names.map((name) => readArray(parsed[name], name)),
      names,
    ),
  );
  if (unnamed) return { unnamed, labels: findLabels(valueOf) };
  const saved = parsed.from === 'attention-wasm' ? readSaved(parsed) : null;
  // Tokens before pieces were merged and heads averaged.
  if (saved?.weights) arrays.weights = saved.weights;
  return { arrays, labels: saved ? undefined : findLabels(valueOf), saved };
}

/** @param {string} text */
function parse(text) {
  try {
    return JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    // Python writes NaN and Infinity, which are not JSON.
    const found = /(?<=[[,:\s])(NaN|-?Infinity)(?=[\s,\]}])/.exec(text);
    if (!found) throw new Error(`it is not JSON: ${messageOf(error)}`, { cause: error });
    const line = text.slice(0, found.index).split('\n').length;
    throw new Error(`line ${line} has ${found[0]}, which is no number`, { cause: error });
  }
}

/**
 * Nested lists, or { dims, data }, as a tensor.
 * @param {unknown} given
 * @param {string} name
 * @returns {FileArray}
 */
function readArray(given, name) {
  if (!Array.isArray(given)) return readTensor(given, name);
  /** @type {number[]} */
  const dims = [];
  for (let one = given; Array.isArray(one); [one] = one) dims.push(one.length);
  /** @type {number[]} */
  const data = [];
  /** @type {(list: unknown, depth: number, place: string) => void} */
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

/**
 * @param {unknown} given
 * @param {string} name
 * @returns {FileArray}
 */
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

/** @returns {Saved | null} */
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
  return {
    ...{ rows, columns, texts, scale },
    name: typeof part === 'string' ? part : '',
    weights: weights ? readArray(weights, 'weights') : null,
    x: x ? { rows: readArray(x.rows, 'x'), columns: readArray(x.columns, 'x') } : null,
    ordered: ordered === true,
    causal: causal === true,
    link: typeof link === 'string' ? link : '',
  };
}

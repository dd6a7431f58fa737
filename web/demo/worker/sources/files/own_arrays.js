// The reader's queries, keys and values, or weights: role of each array, checks, and the Parts they make.

import { maxTokens } from '../tokens.js';
import { sizeOf } from '../../../tensors.js';
import { splitHeads, requireDivisor } from '../heads.js';

const words = {
  query: ['q', 'query', 'queries'],
  key: ['k', 'key', 'keys'],
  value: ['v', 'value', 'values'],
};
const weightWords = ['weights', 'weight', 'attention', 'attentions', 'attn', 'alpha', 'probs'];
const scoreWords = ['score', 'scores', 'logits', 'raw', 'scaled', 'masked', 'difference'];

export const needed = ['query', 'key', 'value'];

/** Role of an unnamed array, from its file name; throws a message for the reader if the name does not tell. */
export function roleOf(fileName, array) {
  const found = fileName
    .replace(/\.[^.]*$/, '')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase());
  const has = (list) => list.some((word) => found.includes(word));
  const roles = needed.filter((role) => has(words[role]));
  if (roles.length === 1) return roles[0];
  if (has(scoreWords)) {
    throw new Error(
      'its name says scores: the page draws weights, or computes them from q, k and v',
    );
  }
  if (roles.length === 0 && (has(weightWords) || rowsSumToOne(array))) return 'weights';
  throw new Error('its name does not say what it is: call it q, k, v or weights');
}

function rowsSumToOne(array) {
  if (array.dims.length < 2) return false;
  return rowSums(array).every((sum) => Math.abs(sum - 1) < 1e-3);
}

function rowSums({ data, dims }) {
  const width = dims.at(-1);
  return Array.from({ length: data.length / width }, (_, row) =>
    data.subarray(row * width, (row + 1) * width).reduce((sum, one) => sum + one, 0),
  );
}

/**
 * Reshapes to layers × heads × rows × numbers; throws a message that names the position of a number that is not finite.
 */
export function readAsArray(name, { data, dims }) {
  const isStack = dims.length === 5 && dims[1] === 1; // layers × batch × heads × rows × columns
  const plain = isStack ? [dims[0], ...dims.slice(2)] : dims;
  if (plain.length < 2 || plain.length > 4) {
    throw new Error(
      `${name} has dims ${dims.join(' × ') || 'of one number'}, and should have 2 (rows × numbers), ` +
        '3 with heads before them, or 4 with layers before those',
    );
  }
  if (data.length === 0) throw new Error(`${name} is ${dims.join(' × ')}: it has no numbers`);
  const four = [...Array(4 - plain.length).fill(1), ...plain];
  const bad = data.findIndex((number) => !Number.isFinite(number));
  if (bad >= 0) throw new Error(`${placeOf(bad, four, plain.length)} of ${name} is ${data[bad]}`);
  if (four[2] > maxTokens) {
    throw new Error(`${name} has ${four[2]} rows; the page draws ${maxTokens} at most`);
  }
  return { data, dims: four, hasHeads: plain.length > 2 };
}

function placeOf(index, [, heads, rows, columns], rank) {
  const column = index % columns;
  const row = Math.floor(index / columns) % rows;
  const head = Math.floor(index / columns / rows) % heads;
  const layer = Math.floor(index / columns / rows / heads);
  return [
    rank > 3 ? `layer ${layer + 1}, ` : '',
    rank > 2 ? `head ${head + 1}, ` : '',
    `row ${row + 1}, column ${column + 1}`,
  ].join('');
}

const sizeText = ({ dims }) =>
  dims.slice(dims.findIndex((dim, at) => dim > 1 || at === 2)).join(' × ');

/** '' if the arrays fit each other, else a message. */
export function whyNotTogether({ query, key, value, weights }) {
  if (weights && weights.dims[3] > maxTokens) {
    return `the weights have ${weights.dims[3]} columns; the page draws ${maxTokens} at most`;
  }
  const both = (one, other, axis, what) => {
    const [[nameOne, a], [nameOther, b]] = [one, other];
    if (!a || !b || a.dims[axis] === b.dims[axis]) return '';
    return `${nameOne} is ${sizeText(a)} and ${nameOther} is ${sizeText(b)}: ${what} must be equal`;
  };
  const [q, k, v] = [
    ['the query', query],
    ['the key', key],
    ['the value', value],
  ];
  const sameLayers = 'the numbers of layers and heads';
  return (
    both(q, k, 3, 'the last numbers, d_k,') ||
    both(k, v, 2, 'the numbers of rows, one for each column of the picture,') ||
    both(q, k, 0, sameLayers) ||
    both(q, k, 1, sameLayers) ||
    both(k, v, 0, sameLayers) ||
    both(k, v, 1, sameLayers) ||
    both(q, v, 0, sameLayers) ||
    both(q, v, 1, sameLayers)
  );
}

/** Description of an array in a message. */
export const describeArray = (role, array) => `${role} ${sizeText(array)}`;

/** A message about row sums that differ from 1; '' if none does. */
export function noteOnSums(weights) {
  const sums = rowSums(weights);
  const [least, most] = [Math.min(...sums), Math.max(...sums)];
  if (least > 0.999 && most < 1.001) return '';
  return `Its rows sum to ${least.toPrecision(3)} … ${most.toPrecision(3)}, not to 1.`;
}

/** One layer of an array, heads × rows × numbers. */
function layerOf({ data, dims: [, ...dims] }, layer) {
  const size = sizeOf(dims);
  return { data: data.slice(layer * size, (layer + 1) * size), dims };
}

/** Splits an array without heads into equal ranges of columns. */
function inHeads(array, layer, heads) {
  const own = layerOf(array, layer);
  if (array.hasHeads || heads === 1) return own;
  const [, rows, width] = own.dims;
  requireDivisor(heads, width);
  return splitHeads({ data: own.data, dims: [rows, width] }, heads);
}

/** Parts of a Reading; `heads`: value of the page's control, for arrays without heads of their own. */
export function partsOf(arrays, { name, heads, labels, saved }) {
  const [layers] = (arrays.weights ?? arrays.query).dims;
  return Array.from({ length: layers }, (_, layer) => {
    const common = {
      id: `own.${layer}`,
      name: layers > 1 ? `${name}, layer ${layer + 1}` : name,
      causal: saved?.causal ?? false,
      ordered: saved?.ordered || undefined,
      ...labels,
    };
    if (arrays.weights) {
      const given = layerOf(arrays.weights, layer);
      return { ...common, heads: given.dims[0], weights: given };
    }
    const [query, key, value] = needed.map((role) => inHeads(arrays[role], layer, heads));
    const scale = saved?.scale ?? 1 / Math.sqrt(query.dims[2]);
    return { ...common, heads: query.dims[0], query, key, value, scale, x: saved?.x ?? null };
  });
}

/** Labels from files for rows and columns, or null. */
export const labelsIn = ({ weights, query, key }) =>
  weights?.labels ?? { ...key.labels, ...query.labels };

/** [rows, columns] of the picture. */
export const sizeOfPicture = ({ weights, query, key }) =>
  weights ? weights.dims.slice(2) : [query.dims[2], key.dims[2]];

/** ['1', …, 'count'] */
export const numbersTo = (count) => Array.from({ length: count }, (_, at) => `${at + 1}`);

/**
 * Mode and texts for the page: the names of rows and columns, else their numbers, which the reader may type over. A picture
 * that is not square, or whose rows and columns have other names, has two texts.
 */
export function stateOf({ weights, query, key }) {
  if (!weights && !(query && key)) return {};
  const [height, width] = sizeOfPicture({ weights, query, key });
  const { rows, columns } = labelsIn({ weights, query, key });
  const isOne = height === width && (!rows || !columns || `${rows}` === `${columns}`);
  const textOf = (names, count) => (names ?? numbersTo(count)).join(' ');
  return {
    mode: isOne ? 'self' : 'cross',
    text: textOf(rows ?? (isOne ? columns : null), height),
    context: textOf(columns ?? (isOne ? rows : null), width),
  };
}

// The reader's queries, keys and values, or weights: role of each array, checks, and the Parts they make.

import { maxTokens } from '../tokens.js';
import { sizeOf } from '../../../tensors.js';
import { splitHeads, requireDivisor } from '../heads.js';

/** @import { Part } from '../../../types' */
/** @import { State } from '../../../state/types' */
/** @import { Saved } from './json_file.js' */

/** @typedef {'query' | 'key' | 'value' | 'weights'} Role */
/**
 * An array of a file.
 * @typedef {{ data: Float32Array, dims: number[] }} FileArray
 */
/**
 * An array as layers × heads × rows × numbers, with the names of its rows and columns in the picture.
 * @typedef {object} RoleArray
 * @property {Float32Array} data
 * @property {Dims} dims
 * @property {boolean} hasHeads
 * @property {{ rows?: string[], columns?: string[] }} labels
 */
/** @typedef {[layers: number, heads: number, rows: number, columns: number]} Dims */
/** @typedef {{ [role in Role]?: RoleArray }} Roles */
/**
 * Roles that make a picture: weights, or queries and keys; and the same with the values.
 * @typedef {(Roles & { weights: RoleArray }) | (Roles & { weights?: undefined, query: RoleArray, key: RoleArray })} DrawnRoles
 */
/** @typedef {DrawnRoles & ({ weights: RoleArray } | { weights?: undefined, value: RoleArray })} CompleteRoles */

/** @type {Record<'query' | 'key' | 'value', string[]>} */
const words = {
  query: ['q', 'query', 'queries'],
  key: ['k', 'key', 'keys'],
  value: ['v', 'value', 'values'],
};
const weightWords = ['weights', 'weight', 'attention', 'attentions', 'attn', 'alpha', 'probs'];
const scoreWords = ['score', 'scores', 'logits', 'raw', 'scaled', 'masked', 'difference'];

/** @type {('query' | 'key' | 'value')[]} */
export const needed = ['query', 'key', 'value'];

/**
 * Role of an unnamed array, from its file name; throws a message for the reader if the name does not tell.
 * @param {string} fileName
 * @param {FileArray} array
 * @returns {Role}
 */
export function roleOf(fileName, array) {
  const found = fileName
    .replace(/\.[^.]*$/, '')
    .split(/[^A-Za-z]+/)
    .map((word) => word.toLowerCase());
  /** @param {string[]} list */
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

/** @param {FileArray} array */
function rowsSumToOne(array) {
  if (array.dims.length < 2) return false;
  return rowSums(array).every((sum) => Math.abs(sum - 1) < 1e-3);
}

/** @param {FileArray} array */
function rowSums({ data, dims }) {
  const width = dims[dims.length - 1];
  return Array.from({ length: data.length / width }, (_, row) =>
    data.subarray(row * width, (row + 1) * width).reduce((sum, one) => sum + one, 0),
  );
}

/**
 * Reshapes to layers × heads × rows × numbers; throws a message that names the position of a number that is not finite.
 * @param {string} name
 * @param {FileArray} array
 * @returns {RoleArray}
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
  const four = /** @type {Dims} */ ([...Array(4 - plain.length).fill(1), ...plain]);
  const bad = data.findIndex((number) => !Number.isFinite(number));
  if (bad >= 0) throw new Error(`${placeOf(bad, four, plain.length)} of ${name} is ${data[bad]}`);
  if (four[2] > maxTokens) {
    throw new Error(`${name} has ${four[2]} rows; the page draws ${maxTokens} at most`);
  }
  return { data, dims: four, hasHeads: plain.length > 2, labels: {} };
}

/** @type {(index: number, dims: Dims, rank: number) => string} */
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

/** @param {RoleArray} array */
const sizeText = ({ dims }) =>
  dims.slice(dims.findIndex((dim, at) => dim > 1 || at === 2)).join(' × ');

/**
 * '' if the arrays fit each other, else a message.
 * @param {Roles} roles
 */
export function whyNotTogether({ query, key, value, weights }) {
  if (weights && weights.dims[3] > maxTokens) {
    return `the weights have ${weights.dims[3]} columns; the page draws ${maxTokens} at most`;
  }
  /** @typedef {[name: string, array: RoleArray | undefined]} Named */
  /** @type {(one: Named, other: Named, axis: number, what: string) => string} */
  const both = ([nameOne, a], [nameOther, b], axis, what) => {
    if (!a || !b || a.dims[axis] === b.dims[axis]) return '';
    return `${nameOne} is ${sizeText(a)} and ${nameOther} is ${sizeText(b)}: ${what} must be equal`;
  };
  /** @type {Named} */
  const q = ['the query', query];
  /** @type {Named} */
  const k = ['the key', key];
  /** @type {Named} */
  const v = ['the value', value];
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

/**
 * Description of an array in a message.
 * @param {string} role
 * @param {RoleArray} array
 */
export const describeArray = (role, array) => `${role} ${sizeText(array)}`;

/**
 * A message about row sums that differ from 1; '' if none does.
 * @param {RoleArray} weights
 */
export function noteOnSums(weights) {
  const sums = rowSums(weights);
  const [least, most] = [Math.min(...sums), Math.max(...sums)];
  if (least > 0.999 && most < 1.001) return '';
  return `Its rows sum to ${least.toPrecision(3)} … ${most.toPrecision(3)}, not to 1.`;
}

/**
 * One layer of an array, heads × rows × numbers.
 * @param {RoleArray} array
 * @param {number} layer
 */
function layerOf({ data, dims: [, ...dims] }, layer) {
  const size = sizeOf(dims);
  return { data: data.slice(layer * size, (layer + 1) * size), dims };
}

/**
 * Splits an array without heads into equal ranges of columns.
 * @param {RoleArray} array
 * @param {number} layer
 * @param {number} heads
 */
function inHeads(array, layer, heads) {
  const own = layerOf(array, layer);
  if (array.hasHeads || heads === 1) return own;
  const [, rows, width] = own.dims;
  requireDivisor(heads, width);
  return splitHeads({ data: own.data, dims: [rows, width] }, heads);
}

/**
 * Parts of a Reading.
 * @param {CompleteRoles} arrays
 * @param {{ name: string, heads: number, saved?: Saved | null }} more `heads`: value of the page's control, for arrays
 * without heads of their own
 * @returns {Part[]}
 */
export function partsOf(arrays, { name, heads, saved }) {
  const [layers] = sized(arrays).dims;
  return Array.from({ length: layers }, (_, layer) => {
    const common = {
      id: `own.${layer}`,
      name: layers > 1 ? `${name}, layer ${layer + 1}` : name,
      causal: saved?.causal ?? false,
      ordered: saved?.ordered || undefined,
    };
    if (arrays.weights) {
      const given = layerOf(arrays.weights, layer);
      return { kind: 'weights', ...common, heads: given.dims[0], weights: given };
    }
    const query = inHeads(arrays.query, layer, heads);
    const key = inHeads(arrays.key, layer, heads);
    const value = inHeads(arrays.value, layer, heads);
    const scale = saved?.scale ?? 1 / Math.sqrt(query.dims[2]);
    return {
      ...{ kind: 'vectors', ...common, heads: query.dims[0] },
      ...{ query, key, value, scale, x: saved?.x ?? null },
    };
  });
}

/**
 * The array that has the layers and heads of the picture.
 * @param {CompleteRoles} roles
 */
export const sized = (roles) => roles.weights ?? roles.query;

/**
 * Labels from files for rows and columns.
 * @param {DrawnRoles} roles
 */
export const labelsIn = (roles) =>
  roles.weights ? roles.weights.labels : { ...roles.key.labels, ...roles.query.labels };

/**
 * Rows and columns of the picture.
 * @param {DrawnRoles} roles
 * @returns {[number, number]}
 */
export const sizeOfPicture = (roles) =>
  roles.weights
    ? [roles.weights.dims[2], roles.weights.dims[3]]
    : [roles.query.dims[2], roles.key.dims[2]];

/** @type {(roles: Roles) => roles is DrawnRoles} */
const isDrawn = (roles) => Boolean(roles.weights ?? (roles.query && roles.key));

/**
 * ['1', …, 'count']
 * @param {number} count
 */
export const numbersTo = (count) => Array.from({ length: count }, (_, at) => `${at + 1}`);

/**
 * Mode and texts for the page: the names of rows and columns, else their numbers, which the reader may type over. A picture
 * that is not square, or whose rows and columns have other names, has two texts.
 * @param {Roles} roles
 * @returns {Partial<State>}
 */
export function stateOf(roles) {
  if (!isDrawn(roles)) return {};
  const [height, width] = sizeOfPicture(roles);
  const { rows, columns } = labelsIn(roles);
  const isOne = height === width && (!rows || !columns || `${rows}` === `${columns}`);
  /** @type {(names: string[] | undefined, count: number) => string} */
  const textOf = (names, count) => (names ?? numbersTo(count)).join(' ');
  return {
    mode: isOne ? 'self' : 'cross',
    text: textOf(rows ?? (isOne ? columns : undefined), height),
    context: textOf(columns ?? (isOne ? rows : undefined), width),
  };
}

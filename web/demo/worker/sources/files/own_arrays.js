// The reader's queries, keys and values, or weights: role of each array, checks, and the Parts they make.

import { sizeOf } from '../../../tensors.js';
import { splitHeads, requireDivisor } from '../heads.js';
import { roleInName } from './array_names.js';

/** @import { Part } from '../../../types' */
/** @import { FoundArrays } from './array_names.js' */
/** @import { State } from '../../../state/types' */
/** @import { Saved } from './json_file.js' */

/** @typedef {'query' | 'key' | 'value' | 'weights'} Role */
/**
 * An array of a file; `areLayers`: stacked from several, as stackLayers() does.
 * @typedef {{ data: Float32Array, dims: number[], areLayers?: boolean, hasHeads?: boolean }} FileArray
 */
/**
 * An array as layers × examples of a batch × heads × rows × numbers, with the names of its rows and columns in the
 * picture, for all examples or for each.
 * @typedef {object} RoleArray
 * @property {Float32Array} data
 * @property {Dims} dims without the batch
 * @property {number} batch
 * @property {boolean} hasHeads
 * @property {{ rows?: string[][], columns?: string[][] }} labels
 */
/** @typedef {[layers: number, heads: number, rows: number, columns: number]} Dims */
/** @typedef {{ [role in Role]?: RoleArray }} Roles */
/**
 * Roles that make a picture: weights, or queries and keys; and the same with the values.
 * @typedef {(Roles & { weights: RoleArray }) | (Roles & { weights?: undefined, query: RoleArray, key: RoleArray })} DrawnRoles
 */
/** @typedef {DrawnRoles & ({ weights: RoleArray } | { weights?: undefined, value: RoleArray })} CompleteRoles */

/** @type {('query' | 'key' | 'value')[]} */
export const needed = ['query', 'key', 'value'];

/**
 * Role of an array by the name of its file or its own; throws a message for the reader if the name does not tell.
 * @param {string} name
 * @param {FileArray} array
 * @returns {Role}
 */
export function roleOf(name, array) {
  const role = roleInName(name);
  if (role) return role;
  const why = whyNotWeights(array);
  if (why === '') return 'weights';
  throw new Error(`its name does not say what it is, and ${why}: call it q, k, v or weights`);
}

/**
 * '' if the rows sum to 1.
 * @param {FileArray} array
 */
function whyNotWeights({ data, dims }) {
  if (dims.length < 2) return 'it has no rows';
  if (data.length === 0) return 'it has no numbers';
  const sums = rowSums({ data, dims });
  const bad = sums.findIndex((sum) => !Number.isFinite(sum));
  if (bad >= 0) return `row ${(bad % (dims.at(-2) ?? 1)) + 1} sums to ${sums[bad]}`;
  if (sums.every((sum) => Math.abs(sum - 1) < 1e-3)) return '';
  return `its rows sum to ${rangeOf(sums)}, not to 1`;
}

/** @param {number[]} sums */
const rangeOf = (sums) => {
  const [least, most] = [sums, sums].map((all, at) =>
    all.reduce((one, other) => (at === 0 ? Math.min(one, other) : Math.max(one, other))),
  );
  return `${least.toPrecision(3)} … ${most.toPrecision(3)}`;
};

/** @param {FileArray} array */
function rowSums({ data, dims }) {
  const width = dims[dims.length - 1];
  return Array.from({ length: data.length / width }, (_, row) =>
    data.subarray(row * width, (row + 1) * width).reduce((sum, one) => sum + one, 0),
  );
}

/** Max rows and columns of an array. */
export const maxRows = 1024;

/**
 * The arrays of the layers as one, layers × examples × heads × rows × numbers.
 * @param {FileArray[]} layers of [[examples ×] heads ×] rows × numbers
 * @param {string[]} names
 * @returns {FileArray}
 */
export function stackLayers(layers, names) {
  const [{ dims }] = layers;
  if (layers.length === 1) return layers[0];
  const other = layers.findIndex((layer) => String(layer.dims) !== String(dims));
  if (other >= 0) {
    const sizes = [0, other].map((at) => `${names[at]} is ${layers[at].dims.join(' × ')}`);
    throw new Error(`${sizes.join(' and ')}: layers must be equal in size`);
  }
  if (dims.length < 2 || dims.length > 4) throw new Error(wrongRank(names[0], dims));
  const size = sizeOf(dims);
  const data = new Float32Array(layers.length * size);
  layers.forEach((layer, at) => data.set(layer.data, at * size));
  return {
    data,
    dims: [layers.length, ...Array(4 - dims.length).fill(1), ...dims],
    ...{ areLayers: true, hasHeads: dims.length > 2 },
  };
}

/**
 * Reads the arrays that findArrays() has found.
 * @param {FoundArrays} found
 * @param {(names: string[]) => FileArray | Promise<FileArray>} read the layers of an array
 * @returns {Promise<{ arrays: { [role in Role]?: FileArray }, unnamed?: undefined } | { unnamed: FileArray, arrays?: undefined }>}
 */
export async function readFound({ roles, unnamed }, read) {
  if (unnamed) return { unnamed: await read(unnamed) };
  /** @type {{ [role in Role]?: FileArray }} */
  const arrays = {};
  for (const [role, names] of /** @type {[Role, string[]][]} */ (Object.entries(roles ?? {}))) {
    arrays[role] = await read(names);
  }
  return { arrays };
}

/** @type {(name: string, dims: number[]) => string} */
const wrongRank = (name, dims) =>
  `${name} has dims ${dims.join(' × ') || 'of one number'}, and should have 2 (rows × numbers), ` +
  '3 with heads before them, 4 with layers before those, or 5 with the examples of a batch after the layers';

/**
 * Reshapes to layers × examples × heads × rows × numbers; throws a message that names the position of a number that is
 * not finite.
 * @param {string} name
 * @param {FileArray} array
 * @returns {RoleArray}
 */
export function readAsArray(name, { data, dims, areLayers = false, hasHeads = dims.length > 2 }) {
  if (dims.length < 2 || dims.length > 5) throw new Error(wrongRank(name, dims));
  if (data.length === 0) throw new Error(`${name} is ${dims.join(' × ')}: it has no numbers`);
  const batch = dims.length === 5 ? dims[1] : 1;
  const plain = dims.length === 5 ? [dims[0], ...dims.slice(2)] : dims;
  const four = /** @type {Dims} */ ([...Array(4 - plain.length).fill(1), ...plain]);
  const bad = data.findIndex((number) => !Number.isFinite(number));
  if (bad >= 0) {
    const rank = areLayers && !hasHeads ? 4 : dims.length;
    throw new Error(`${placeOf(bad, four, batch, rank)} of ${name} is ${data[bad]}`);
  }
  if (four[2] > maxRows) {
    throw new Error(`${name} has ${four[2]} rows; the page draws ${maxRows} at most`);
  }
  return { data, dims: four, batch, hasHeads, labels: {} };
}

/** @type {(index: number, dims: Dims, batch: number, rank: number) => string} */
function placeOf(index, [, heads, rows, columns], batch, rank) {
  const column = index % columns;
  const row = Math.floor(index / columns) % rows;
  const head = Math.floor(index / columns / rows) % heads;
  const example = Math.floor(index / columns / rows / heads) % batch;
  const layer = Math.floor(index / columns / rows / heads / batch);
  return [
    rank > 3 ? `layer ${layer + 1}, ` : '',
    batch > 1 ? `example ${example + 1}, ` : '',
    rank > 2 ? `head ${head + 1}, ` : '',
    `row ${row + 1}, column ${column + 1}`,
  ].join('');
}

/** @param {RoleArray} array */
const sizeText = ({ dims, batch }) =>
  batch > 1
    ? [dims[0], batch, ...dims.slice(1)].join(' × ')
    : dims.slice(dims.findIndex((dim, at) => dim > 1 || at === 2)).join(' × ');

/**
 * '' if the arrays fit each other, else a message.
 * @param {Roles} roles
 */
export function whyNotTogether({ query, key, value, weights }) {
  if (weights && weights.dims[3] > maxRows) {
    return `the weights have ${weights.dims[3]} columns; the page draws ${maxRows} at most`;
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
  const batches = [q, k, v].filter(([, array]) => array);
  const other = batches.find(([, array]) => array?.batch !== batches[0][1]?.batch);
  if (other) {
    const sizes = [batches[0], other].map(
      ([name, array]) => `${name} is ${sizeText(/** @type {RoleArray} */ (array))}`,
    );
    return `${sizes.join(' and ')}: the numbers of examples must be equal`;
  }
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
  if (sums.every((sum) => Math.abs(sum - 1) < 1e-3)) return '';
  return `Its rows sum to ${rangeOf(sums)}, not to 1.`;
}

/**
 * One layer of an example, heads × rows × numbers.
 * @param {RoleArray} array
 * @param {number} layer
 * @param {number} example
 */
export function layerOf({ data, dims: [, ...dims], batch }, layer, example) {
  const size = sizeOf(dims);
  const at = layer * batch + Math.min(example, batch - 1);
  return { data: data.slice(at * size, (at + 1) * size), dims };
}

/**
 * Splits an array without heads into equal ranges of columns.
 * @param {RoleArray} array
 * @param {number} layer
 * @param {{ heads: number, example: number }} chosen
 */
function inHeads(array, layer, { heads, example }) {
  const own = layerOf(array, layer, example);
  if (array.hasHeads || heads === 1) return own;
  const [, rows, width] = own.dims;
  requireDivisor(heads, width);
  return splitHeads({ data: own.data, dims: [rows, width] }, heads);
}

/**
 * Parts of a Reading.
 * @param {CompleteRoles} arrays
 * @param {{ name: string, heads: number, example: number, saved?: Saved | null }} more `heads`: value of the page's
 * control, for arrays without heads of their own
 * @returns {Part[]}
 */
export function partsOf(arrays, { name, heads, example, saved }) {
  const [layers] = sized(arrays).dims;
  return Array.from({ length: layers }, (_, layer) => {
    const common = {
      id: `own.${layer}`,
      name: layers > 1 ? `Layer ${layer + 1}` : name,
      causal: saved?.causal ?? false,
      ordered: saved?.ordered || undefined,
    };
    if (arrays.weights) {
      const given = layerOf(arrays.weights, layer, example);
      return { kind: 'weights', ...common, heads: given.dims[0], weights: given };
    }
    const query = inHeads(arrays.query, layer, { heads, example });
    const key = inHeads(arrays.key, layer, { heads, example });
    const value = inHeads(arrays.value, layer, { heads, example });
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
 * Labels from files for rows and columns of an example.
 * @param {DrawnRoles} roles
 * @param {number} example
 * @returns {{ rows?: string[], columns?: string[] }}
 */
export function labelsIn(roles, example) {
  const { rows, columns } = roles.weights
    ? roles.weights.labels
    : { ...roles.key.labels, ...roles.query.labels };
  /** @param {string[][] | undefined} lists */
  const one = (lists) => lists?.[Math.min(example, lists.length - 1)];
  return { rows: one(rows), columns: one(columns) };
}

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
  const { rows, columns } = labelsIn(roles, 0);
  const isOne = height === width && (!rows || !columns || `${rows}` === `${columns}`);
  /** @type {(names: string[] | undefined, count: number) => string} */
  const textOf = (names, count) => (names ?? numbersTo(count)).join(' ');
  return {
    mode: isOne ? 'self' : 'cross',
    text: textOf(rows ?? (isOne ? columns : undefined), height),
    context: textOf(columns ?? (isOne ? rows : undefined), width),
  };
}

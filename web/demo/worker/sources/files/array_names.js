// Names that arrays and their words have in files.

/** @import { Role } from './own_arrays.js' */

/**
 * Names of rows or columns, for all examples of a batch or for each of them, and the name that the file has for them; null
 * where it has none.
 * @typedef {{ name: string, lists: string[][] } | null} NameList
 */
/** @typedef {{ rows: NameList, columns: NameList }} FoundLabels */
/**
 * Names of the arrays of each role, several if each has a layer; `unnamed`: those of an array whose role is not known.
 * @typedef {{ roles: { [role in Role]?: string[] }, unnamed?: undefined } | { unnamed: string[], roles?: undefined }} FoundArrays
 */

/** @type {Record<Role, string[]>} */
const namesOf = {
  query: ['query', 'q', 'queries'],
  key: ['key', 'k', 'keys'],
  value: ['value', 'v', 'values'],
  weights: ['weights', 'attention', 'attentions', 'attn'],
};
const roles = /** @type {Role[]} */ (Object.keys(namesOf));
const weightWords = [...namesOf.weights, 'weight', 'alpha', 'probs'];
const scoreWords = ['score', 'scores', 'logits', 'raw', 'scaled', 'masked', 'difference'];
// Parameters of a model, and what its call takes.
const otherWords = ['bias', 'proj', 'dense', 'norm', 'mask', 'ids', 'tokens', 'labels'];

const rowNames = ['rows', 'row_labels', 'left_text', 'tokens'];
const columnNames = ['columns', 'column_labels', 'right_text', 'tokens'];
const labelNames = [...rowNames, ...columnNames];

/** @type {(name: string) => string[]} */
const wordsOf = (name) =>
  name
    .split(/[^A-Za-z]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());

/**
 * Role that the words of a name tell; null if they tell none.
 * @param {string} name
 * @returns {Role | null}
 * @throws an Error with a sentence for the reader if it names scores
 */
export function roleInName(name) {
  const found = wordsOf(name);
  /** @param {string[]} list */
  const has = (list) => list.some((word) => found.includes(word));
  const named = /** @type {Role[]} */ (['query', 'key', 'value']).filter((role) =>
    has(namesOf[role]),
  );
  if (named.length === 1) return named[0];
  if (has(scoreWords)) {
    throw new Error(
      'its name says scores: the page draws weights, or computes them from q, k and v',
    );
  }
  return named.length === 0 && has(weightWords) ? 'weights' : null;
}

/**
 * The arrays of each role: under a usual name, else under names that contain one, as layer.0.attn and layer.1.attn; an
 * array or a list of layers that is alone in its file may have any name.
 * @param {readonly string[]} names of the arrays of a file
 * @returns {FoundArrays}
 * @throws an Error with a sentence for the reader
 */
export function findArrays(names) {
  /** @type {{ [role in Role]?: string[] }} */
  const found = {};
  for (const role of roles) {
    const name = namesOf[role].find((one) => names.includes(one));
    if (name) found[role] = [name];
  }
  const lists = layersAmong(names.filter((name) => !labelNames.includes(name)));
  if (Object.keys(found).length === 0) {
    for (const list of lists) {
      const role = roleOfList(list[0]);
      if (!role) continue;
      if (found[role]) {
        throw new Error(`it has both ${found[role][0]} and ${list[0]}: leave one of them out`);
      }
      found[role] = list;
    }
  }
  // Weights are recomputed from queries, keys and values.
  if (found.query && found.key && found.value) delete found.weights;
  if (Object.keys(found).length > 0) return { roles: found };
  if (lists.length === 1 && !isOther(lists[0][0])) return { unnamed: lists[0] };
  const some = names.slice(0, 6).join(', ') || 'nothing';
  throw new Error(`it has no query, key and value and no weights; it has ${some}`);
}

/**
 * Lists of names that differ in their last number only, in the order of it.
 * @param {readonly string[]} names
 */
function layersAmong(names) {
  /** @type {Map<string, { name: string, layer: number }[]>} */
  const lists = new Map();
  for (const name of names) {
    const [, before = name, layer = '0', after = ''] = /^(.*?)(\d+)(\D*)$/.exec(name) ?? [];
    const pattern = `${before}#${after}`;
    lists.set(pattern, [...(lists.get(pattern) ?? []), { name, layer: Number(layer) }]);
  }
  return Array.from(lists.values(), (list) =>
    list.sort((one, other) => one.layer - other.layer).map(({ name }) => name),
  );
}

/** @param {string} name */
const isOther = (name) => wordsOf(name).some((word) => otherWords.includes(word));

/** @type {(name: string) => Role | null} */
function roleOfList(name) {
  const found = wordsOf(name);
  // W_Q and layer.0.query.weight are parameters of a model.
  if (isOther(name) || found.includes('w') || found.at(-1) === 'weight') return null;
  return found.some((word) => scoreWords.includes(word)) ? null : roleInName(name);
}

/**
 * Names of rows and columns.
 * @param {(name: string) => unknown} valueOf a list of names, or a text of them
 * @returns {FoundLabels}
 * @throws an Error with a sentence for the reader
 */
export const findLabels = (valueOf) => ({
  rows: readLabels(rowNames, valueOf),
  columns: readLabels(columnNames, valueOf),
});

/**
 * @param {string[]} names
 * @param {(name: string) => unknown} valueOf
 * @returns {NameList}
 */
function readLabels(names, valueOf) {
  const name = names.find((one) => valueOf(one) !== undefined && valueOf(one) !== null);
  if (name === undefined) return null;
  const given = valueOf(name);
  if (typeof given === 'string') return { name, lists: [given.split(/\s+/).filter(Boolean)] };
  if (!Array.isArray(given))
    throw new Error(`${name} should be a list of names, or a text of them`);
  const isBatch = given.length > 0 && given.every(Array.isArray);
  /** @type {(list: unknown[], place: string) => string[]} */
  const named = (list, place) => {
    // Ids of tokens are names, too.
    const bad = list.findIndex((one) => typeof one !== 'string' && !Number.isInteger(one));
    if (bad >= 0) {
      throw new Error(`${place}[${bad}] is ${JSON.stringify(list[bad])}, and should be a name`);
    }
    return list.map(String);
  };
  return {
    name,
    lists: isBatch ? given.map((list, at) => named(list, `${name}[${at}]`)) : [named(given, name)],
  };
}

/**
 * Throws unless there is a name for each row or column.
 * @param {NameList} labels
 * @param {number} count
 * @param {'rows' | 'columns'} what
 * @param {number} [batch] number of examples
 */
export function checkLabels(labels, count, what, batch = 1) {
  if (!labels) return;
  const { name, lists } = labels;
  /** @type {(number: number, plural: string) => string} */
  const counted = (number, plural) => `${number} ${number === 1 ? plural.slice(0, -1) : plural}`;
  if (lists.length > 1 && lists.length !== batch) {
    throw new Error(`${name} has ${lists.length} lists for ${counted(batch, 'examples')}`);
  }
  const list = lists.find(({ length }) => length !== count);
  if (list) {
    throw new Error(`${name} has ${counted(list.length, 'names')} for ${counted(count, what)}`);
  }
}

// Names that arrays and their words have in files, in JSON as in safetensors.

/** @import { Role } from './own_arrays.js' */

/**
 * Names of rows or columns, and the name that the file has for them; null where it has none.
 * @typedef {{ name: string, list: string[] } | null} NameList
 */
/** @typedef {{ rows: NameList, columns: NameList }} FoundLabels */

/** @type {Record<Role, string[]>} */
const namesOf = {
  query: ['query', 'q', 'queries'],
  key: ['key', 'k', 'keys'],
  value: ['value', 'v', 'values'],
  weights: ['weights', 'attention', 'attentions', 'attn'],
};
const roles = /** @type {Role[]} */ (Object.keys(namesOf));
const rowNames = ['rows', 'row_labels', 'left_text', 'tokens'];
const columnNames = ['columns', 'column_labels', 'right_text', 'tokens'];

/**
 * The name that a file has for each role.
 * @param {(name: string) => boolean} has
 * @param {() => readonly string[]} names all names of the file, for the message
 * @returns {{ [role in Role]?: string }} role → name
 * @throws an Error with a sentence for the reader
 */
export function findArrays(has, names) {
  /** @type {{ [role in Role]?: string }} */
  const found = {};
  for (const role of roles) {
    const name = namesOf[role].find(has);
    if (name) found[role] = name;
  }
  // Weights are recomputed from queries, keys and values.
  if (found.query && found.key && found.value) delete found.weights;
  if (Object.keys(found).length > 0) return found;
  const some = names().slice(0, 6).join(', ') || 'nothing';
  throw new Error(`it has no query, key and value and no weights; it has ${some}`);
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
  if (typeof given === 'string') return { name, list: given.split(/\s+/).filter(Boolean) };
  if (!Array.isArray(given))
    throw new Error(`${name} should be a list of names, or a text of them`);
  // Ids of tokens are names, too.
  const bad = given.findIndex((one) => typeof one !== 'string' && !Number.isInteger(one));
  if (bad >= 0) {
    throw new Error(`${name}[${bad}] is ${JSON.stringify(given[bad])}, and should be a name`);
  }
  return { name, list: given.map(String) };
}

/**
 * Throws unless there is a name for each row or column.
 * @param {NameList} labels
 * @param {number} count
 * @param {'rows' | 'columns'} what
 */
export function checkLabels(labels, count, what) {
  if (!labels || labels.list.length === count) return;
  const { name, list } = labels;
  /** @type {(number: number, plural: string) => string} */
  const counted = (number, plural) => `${number} ${number === 1 ? plural.slice(0, -1) : plural}`;
  throw new Error(`${name} has ${counted(list.length, 'names')} for ${counted(count, what)}`);
}

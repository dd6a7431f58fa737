// Roles of the arrays of a file, and the names of their rows and columns.

import { checkLabels } from './array_names.js';
import { describeArray, readAsArray, roleOf } from './own_arrays.js';

/** @import { FoundLabels, NameList } from './array_names.js' */
/** @import { Saved } from './json_file.js' */
/** @import { FileArray, Role, RoleArray, Roles } from './own_arrays.js' */

/**
 * `says`: a description for messages; files of one group are used together.
 * @typedef {object} ReadFile
 * @property {'weights' | 'arrays'} group
 * @property {Roles} roles
 * @property {Saved | null} [saved]
 * @property {string} says
 */

/**
 * Result of a format's parser: arrays by their roles, or one whose role the name of the file or the numbers tell.
 * @typedef {{ labels?: FoundLabels, saved?: Saved | null } & ({ arrays: { [role in Role]?: FileArray }, unnamed?: undefined } | { unnamed: FileArray, arrays?: undefined })} Found
 */

/**
 * The roles of the arrays that a parser has found; the name of the file tells that of an unnamed one.
 * @type {(found: Found, fileName: string) => ReadFile}
 * @throws an Error with a sentence for the reader
 */
export const arraysOf = (found, fileName) =>
  ofArrays(found.arrays ?? { [roleOf(fileName, found.unnamed)]: found.unnamed }, found);

/**
 * @param {{ [role in Role]?: FileArray }} given
 * @param {{ labels?: FoundLabels, saved?: Saved | null }} more
 * @returns {ReadFile}
 */
function ofArrays(given, { labels, saved }) {
  const read = Object.entries(given).map(([role, array]) => [role, readAsArray(role, array)]);
  const named = /** @type {[Role, RoleArray][]} */ (read);
  /** @type {Roles} */
  const roles = Object.fromEntries(named);
  for (const [role, array] of named) {
    array.labels = labelsOf(role, array, labels, Boolean(roles.query));
  }
  if (saved) checkSaved(saved, roles);
  const says = named.map(([role, array]) => describeArray(role, array));
  const group = roles.weights ? 'weights' : 'arrays';
  return { group, roles, saved, says: says.join(', ') };
}

/**
 * Names of rows and columns of the picture, of which an array has some: rows are those of the query, columns the rows of
 * the key.
 * @param {Role} role
 * @param {RoleArray} array
 * @param {FoundLabels} [labels]
 * @param {boolean} [hasQuery]
 * @returns {RoleArray['labels']}
 */
function labelsOf(role, { dims, batch }, labels = noLabels, hasQuery = false) {
  const { rows, columns } = labels;
  const [, , height, width] = dims;
  if (role === 'weights') {
    checkLabels(rows, height, 'rows', batch);
    checkLabels(columns, width, 'columns', batch);
    return { rows: rows?.lists, columns: columns?.lists };
  }
  if (role === 'query') {
    checkLabels(rows, height, 'rows', batch);
    return { rows: rows?.lists };
  }
  if (role === 'value') return {};
  // The names of the query's rows are also those of a key with as many.
  const own = hasQuery && rows?.lists[0].length !== height ? null : rows;
  checkLabels(columns ?? own, height, columns ? 'columns' : 'rows', batch);
  return { columns: (columns ?? own)?.lists };
}

/** @type {FoundLabels} */
const noLabels = { rows: null, columns: null };

/**
 * Tokens of an export of this page, which name all rows and columns.
 * @param {Saved} saved
 * @param {Roles} roles
 */
function checkSaved({ rows, columns }, { weights, query, key }) {
  const height = weights ? weights.dims[2] : query?.dims[2];
  const width = weights ? weights.dims[3] : key?.dims[2];
  if (height !== undefined) checkLabels(namesOf('tokens.rows', rows), height, 'rows');
  if (width === undefined) return;
  const names = columns ? namesOf('tokens.columns', columns) : namesOf('tokens.rows', rows);
  checkLabels(names, width, 'columns');
}

/** @type {(name: string, tokens: Saved['rows']) => NameList} */
const namesOf = (name, tokens) => ({
  name,
  lists: [tokens.map(({ text }) => text)],
});

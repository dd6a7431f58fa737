// Names that arrays and their words have in files, in JSON as in safetensors.

const namesOf = {
  query: ['query', 'q', 'queries'],
  key: ['key', 'k', 'keys'],
  value: ['value', 'v', 'values'],
  weights: ['weights', 'attention', 'attentions', 'attn'],
};
const rowNames = ['rows', 'row_labels', 'left_text', 'tokens'];
const columnNames = ['columns', 'column_labels', 'right_text', 'tokens'];

/**
 * The name that a file has for each role.
 * @param {(name: string) => boolean} has
 * @param {() => string[]} names all names of the file, for the message
 * @returns {Record<string, string>} role → name
 * @throws an Error with a sentence for the reader
 */
export function findArrays(has, names) {
  const found = {};
  for (const [role, list] of Object.entries(namesOf)) {
    const name = list.find(has);
    if (name) found[role] = name;
  }
  // Weights are recomputed from queries, keys and values.
  if (found.query && found.key && found.value) delete found.weights;
  if (Object.keys(found).length > 0) return found;
  const some = names().slice(0, 6).join(', ') || 'nothing';
  throw new Error(`it has no query, key and value and no weights; it has ${some}`);
}

/**
 * Names of rows and columns, each { name, list } or null: the name that the file has for them, and the names.
 * @param {(name: string) => unknown} valueOf a list of names, or a text of them
 * @throws an Error with a sentence for the reader
 */
export const findLabels = (valueOf) => ({
  rows: readLabels(rowNames, valueOf),
  columns: readLabels(columnNames, valueOf),
});

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

/** Throws unless there is a name for each row or column; `what`: 'rows' or 'columns'. */
export function checkLabels(labels, count, what) {
  if (!labels || labels.list.length === count) return;
  const { name, list } = labels;
  const counted = (number, plural) => `${number} ${number === 1 ? plural.slice(0, -1) : plural}`;
  throw new Error(`${name} has ${counted(list.length, 'names')} for ${counted(count, what)}`);
}

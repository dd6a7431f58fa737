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

/** Words of rows and columns, each a list or null; `valueOf(name)`: a list of words, or a text of them. */
export const findLabels = (valueOf) => ({
  rows: readLabels(rowNames, valueOf),
  columns: readLabels(columnNames, valueOf),
});

function readLabels(names, valueOf) {
  const given = names.map(valueOf).find((value) => value !== undefined && value !== null);
  if (typeof given === 'string') return given.split(/\s+/).filter(Boolean);
  return Array.isArray(given) && given.every((one) => typeof one === 'string') ? given : null;
}

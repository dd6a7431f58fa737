// Reads a file by its format: { group, roles, says }, `says` being a description for messages. Parsers are loaded with
// the first file of their format, except the small one for .npy.

import { checkLabels } from './array_names.js';
import { readNpy } from './npy_file.js';
import { describeArray, readAsArray, roleOf } from './own_arrays.js';

export const readFileAs = (kind, file) => readers[kind](file);

const maxBytes = 1 << 28; // max bytes of a file that is read as a whole

async function bytesOf(file) {
  if (file.size > maxBytes) {
    throw new Error(`it has ${file.size.toLocaleString('en')} bytes, more than a picture needs`);
  }
  return file.arrayBuffer();
}
const textOf = async (file) => new TextDecoder().decode(await bytesOf(file));

const readers = {
  async safetensors(file) {
    const { readSafetensorsArrays } = await import('./safetensors_file.js');
    const { arrays, labels } = await readSafetensorsArrays(file, maxBytes / 4);
    return ofArrays(arrays, { labels });
  },

  async npy(file) {
    return ofOneArray(file, readNpy(await bytesOf(file)));
  },

  async json(file) {
    const { readJSON } = await import('./json_file.js');
    const { arrays, list, labels, saved } = readJSON(await textOf(file));
    return list ? ofOneArray(file, list) : ofArrays(arrays, { labels, saved });
  },
};

const ofOneArray = (file, array) => ofArrays({ [roleOf(file.name, array)]: array }, {});

function ofArrays(given, { labels, saved }) {
  const roles = {};
  for (const [role, array] of Object.entries(given)) roles[role] = readAsArray(role, array);
  for (const [role, array] of Object.entries(roles)) {
    array.labels = labelsOf(role, array, labels, Boolean(roles.query));
  }
  if (saved) checkSaved(saved, roles);
  const says = Object.entries(roles).map(([role, array]) => describeArray(role, array));
  const group = roles.weights ? 'weights' : 'arrays';
  return { group, roles, saved, says: says.join(', ') };
}

/**
 * Names of rows and columns of the picture, of which an array has some: rows are those of the query, columns the rows of
 * the key. `labels`: result of findLabels(), or undefined.
 */
function labelsOf(role, { dims }, { rows = null, columns = null } = {}, hasQuery = false) {
  const [height, width] = dims.slice(2);
  if (role === 'weights') {
    checkLabels(rows, height, 'rows');
    checkLabels(columns, width, 'columns');
    return { rows: rows?.list, columns: columns?.list };
  }
  if (role === 'query') {
    checkLabels(rows, height, 'rows');
    return { rows: rows?.list };
  }
  if (role === 'value') return {};
  // The names of the query's rows are also those of a key with as many.
  const own = hasQuery && rows?.list.length !== height ? null : rows;
  checkLabels(columns ?? own, height, columns ? 'columns' : 'rows');
  return { columns: (columns ?? own)?.list };
}

/** Tokens of an export of this page, which name all rows and columns. */
function checkSaved({ rows, columns }, { weights, query, key }) {
  const [height, width] = weights ? weights.dims.slice(2) : [query?.dims[2], key?.dims[2]];
  if (height !== undefined) checkLabels({ name: 'tokens.rows', list: rows }, height, 'rows');
  if (width === undefined) return;
  const [name, list] = columns ? ['tokens.columns', columns] : ['tokens.rows', rows];
  checkLabels({ name, list }, width, 'columns');
}

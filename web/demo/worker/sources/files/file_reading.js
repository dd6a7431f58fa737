// Reads a file by its format: { group, roles, says }, `says` being a description for messages. Parsers are loaded with
// the first file of their format, except the small one for .npy.

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
    const { arrays, ...labels } = await readSafetensorsArrays(file, maxBytes / 4);
    return ofArrays(arrays, { labels });
  },

  async npy(file) {
    return ofOneArray(file, readNpy(await bytesOf(file)));
  },

  async json(file) {
    const { readJSON } = await import('./json_file.js');
    const { arrays, list, rows, columns, saved } = readJSON(await textOf(file));
    return list ? ofOneArray(file, list) : ofArrays(arrays, { labels: { rows, columns }, saved });
  },
};

const ofOneArray = (file, array) => ofArrays({ [roleOf(file.name, array)]: array }, {});

function ofArrays(given, { labels, saved }) {
  const roles = {};
  for (const [role, array] of Object.entries(given)) roles[role] = readAsArray(role, array);
  for (const [role, array] of Object.entries(roles)) array.labels = labelsOf(role, labels);
  const says = Object.entries(roles).map(([role, array]) => describeArray(role, array));
  const group = roles.weights ? 'weights' : 'arrays';
  return { group, roles, saved, says: says.join(', ') };
}

// Row labels of the picture are those of the query, column labels the row labels of the key.
const labelsOf = (role, { rows = null, columns = null } = {}) => {
  if (role === 'weights') return { rows, columns };
  return role === 'query' ? { rows } : { columns: role === 'key' ? (columns ?? rows) : null };
};

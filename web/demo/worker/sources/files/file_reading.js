// Reads a file by its format: { group, roles, says }, `says` being a description for messages. Parsers are loaded with
// the first file of their format, except the small one for .npy.

import { readNpy } from './npy_file.js';
import { describeArray, readAsArray, roleOf } from './own_arrays.js';

export const readFileAs = (kind, file, context) => readers[kind](file, context);

const maxBytes = 1 << 28; // max bytes of a file that is read as a whole

async function bytesOf(file) {
  if (file.size > maxBytes) {
    throw new Error(`it has ${file.size.toLocaleString('en')} bytes, more than a picture needs`);
  }
  return file.arrayBuffer();
}
const textOf = async (file) => new TextDecoder().decode(await bytesOf(file));

const readers = {
  async words(file, context) {
    const { openWordVectors } = await import('./word_vector_file.js');
    const vectors = { ...(await openWordVectors(file, context)), fileName: file.name };
    const says = `${vectors.count.toLocaleString('en')} words, ${vectors.dim} numbers each`;
    return { group: 'words', roles: { vectors }, says };
  },

  async safetensors(file) {
    const { openProjections } = await import('./projection_file.js');
    const projections = { ...(await openProjections(file)), fileName: file.name };
    const { dim, layers, left, widths, mixed } = projections;
    const [queries, keys, values] = widths;
    const count = layers.length > 1 ? `${layers.length} layers, the first with ` : '';
    const rest = left > 0 ? `, ${left} more layers left out` : '';
    const own = queries === keys ? '' : ` ${dim} × ${queries}`;
    const groups = own && `, ${queries / keys} heads of queries to one of keys and values`;
    const from = mixed ? ', out of one query_key_value with each head’s three together' : '';
    const sizes = `W_Q${own}, W_K ${dim} × ${keys}, W_V ${dim} × ${values}`;
    const says = `${count}${sizes}${groups}${from}${rest}`;
    return { group: 'words', roles: { projections }, says };
  },

  async npy(file) {
    return ofOneArray(file, readNpy(await bytesOf(file)));
  },

  async csv(file) {
    const { readCSV } = await import('./csv_file.js');
    const { rows, columns, ...array } = readCSV(await textOf(file));
    return ofOneArray(file, array, { rows, columns });
  },

  async json(file) {
    const { readJSON } = await import('./json_file.js');
    const { arrays, list, heads, rows, columns, saved } = readJSON(await textOf(file));
    if (list) return ofOneArray(file, list);
    if (heads) {
      const configuration = { heads, fileName: file.name };
      return { group: 'words', roles: { configuration }, says: `${heads} heads` };
    }
    return ofArrays(arrays, { labels: { rows, columns }, saved });
  },
};

function ofOneArray(file, array, labels) {
  const role = roleOf(file.name, array);
  // Columns of q, k and v are components of vectors, not words.
  const words = role === 'weights' || !labels ? labels : { rows: labels.rows, columns: null };
  return ofArrays({ [role]: array }, { labels: words });
}

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

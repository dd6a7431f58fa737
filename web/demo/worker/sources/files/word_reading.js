// Word vectors and projections as a Reading. Either is enough: without word vectors, vectors from spelling are
// projected; without projections, queries, keys and values are the word vectors.

import { lexicalScale, wordVectors } from 'attention-wasm/text';
import { keyHeadsFor, repeatHeads, requireDivisor, splitHeads } from '../heads.js';
import { readTokens } from '../tokens.js';

const spellingDim = 64;
let made = { layers: null, heads: 0, list: [] }; // MultiHeadAttention objects, created on first use

/** '' if vectors and projections fit, else a message. */
export function whyNotSameDim({ vectors, projections, configuration }) {
  if (vectors && projections && vectors.dim !== projections.dim) {
    return `the word vectors have ${vectors.dim} numbers and W_Q takes ${projections.dim}: they must be equal`;
  }
  if (!configuration || !projections) return '';
  try {
    keyHeadsFor(configuration.heads, projections.widths);
    return '';
  } catch ({ message }) {
    return message;
  }
}

export async function readWords(request, { vectors, projections, configuration }, { api, step }) {
  const { mode, first, second, heads = 1 } = request;
  const rows = readTokens(first);
  const columns = mode === 'cross' ? readTokens(second) : rows;
  const unknown = new Set();
  const dim = vectors?.dim ?? projections?.dim ?? spellingDim;
  const vectorsOf = ({ labels }) => lookUp(vectors, dim, labels, unknown, step);
  const x = { rows: await vectorsOf(rows) };
  x.columns = columns === rows ? x.rows : await vectorsOf(columns);
  const own = [configuration, projections].find((file) => file?.heads);
  const share = projections ? projections.widths[0] / projections.widths[1] : 1;
  const count = own?.heads ?? (heads % share === 0 ? heads : share);
  const common = { heads: count, causal: false, x };
  const layers = projections ? layersOf(api, projections, count) : [];
  const parts = layers.map(({ name, layer }, at) => ({
    ...common,
    id: `files.${at}`,
    name: name || projections.fileName,
    ...project(layer, x, count),
  }));
  if (!projections) {
    const name = vectors?.fileName ?? 'Spelling';
    parts.push({ ...common, id: 'files', name, ...shared(x, count, vectors) });
  }
  return {
    rows: rows.labels,
    columns: columns.labels,
    cut: rows.cut || columns.cut,
    ...(own && { overruled: { heads: `${own.fileName} has ${own.heads}.` } }),
    note: notesOn({ unknown, heads, own, count, share, vectors, projections }).join(' '),
    parts,
  };
}

async function lookUp(vectors, dim, labels, unknown, step) {
  const list = labels.map(({ text }) => text);
  if (!vectors) return wordVectors(list, { dim });
  const data = new Float32Array(list.length * dim);
  for (const [row, word] of list.entries()) {
    const vector = await vectors.vector(word);
    if (vector) data.set(vector, row * dim);
    else unknown.add(word);
    await step();
  }
  return { data, dims: [list.length, dim] };
}

function layersOf(api, { layers, widths }, heads) {
  const kvHeads = keyHeadsFor(heads, widths);
  if (made.layers !== layers || made.heads !== heads) {
    for (const { layer } of made.list) layer.delete();
    made = { layers: null, heads: 0, list: [] };
    const list = layers.map(({ name, weightsFor }) => ({
      name,
      layer: api.MultiHeadAttention.fromWeights(weightsFor(heads), { heads, kvHeads }),
    }));
    made = { layers, heads, list };
  }
  return made.list;
}

function project(layer, x, heads) {
  const { query, key, value } = layer.project(x.rows, x.columns);
  const headFirst = ({ data, dims }) => ({ data, dims: dims.slice(-3) });
  return {
    query: headFirst(query),
    key: repeatHeads(headFirst(key), heads),
    value: repeatHeads(headFirst(value), heads),
    scale: 1 / Math.sqrt(layer.keyDim),
  };
}

function shared(x, heads, vectors) {
  const dim = x.rows.dims[1];
  requireDivisor(heads, dim);
  const key = splitHeads(x.columns, heads);
  return {
    query: splitHeads(x.rows, heads),
    key,
    value: key,
    scale: vectors ? 1 / Math.sqrt(dim / heads) : lexicalScale * heads,
  };
}

function notesOn({ unknown, heads, own, count, share, vectors, projections }) {
  const notes = [];
  if (own && own.heads !== heads) {
    notes.push(`${own.fileName} has ${own.heads} heads; the setting is ignored.`);
  }
  if (share > 1) {
    const some = own || count === heads ? '' : `, so there are ${count}`;
    notes.push(`Of ${share} heads of queries each group shares one of keys and values${some}.`);
  }
  if (projections?.layers.length > 1) {
    notes.push('Every layer is given the words’ vectors, as in a model only the first one is.');
  }
  if (!vectors && !projections) notes.push('No file yet: spelling stands in for it.');
  else if (!vectors) notes.push('No word vectors: spelling stands in for them.');
  else if (unknown.size > 0) {
    const some = [...unknown].slice(0, 5).join(', ');
    const more = unknown.size > 5 ? ` and ${unknown.size - 5} more` : '';
    notes.push(`Not in ${vectors.fileName}, so a vector of zeros: ${some}${more}.`);
  } else if (!projections) {
    notes.push('Without W_Q, W_K, W_V each head’s q, k and v are its share of x.');
  }
  return notes;
}

// The reader's own vectors: a file of word vectors (GloVe, word2vec, fastText as text), and a
// safetensors file with W_Q, W_K and W_V. Either is enough: without word vectors spelling takes
// their place, without projections queries, keys and values are the vectors themselves.
// Files stay on the machine.

import { lexicalScale, wordVectors } from 'attention-wasm/text';
import { requireDivisor, splitHeads } from './heads.js';
import { readTokens } from './tokens.js';

export const id = 'files';
export const name = 'Your files';
export const says =
  'Word vectors as text (GloVe .txt, word2vec .vec), and a safetensors file with W_Q, W_K, W_V.';
export const meaning = 'Your vectors know what whoever made them put in.';
export const settings = ['heads', 'files'];
export const examples = [];

const spellingDim = 64;
let vectors = null;
let projections = null;
let layer = null; // of `projections`, made when first needed
let layerHeads = 0;

/** Takes one file; resolves to a sentence about it, or rejects with one. */
export async function open(file, { step, report }) {
  const isSafetensors = await looksLikeSafetensors(file);
  try {
    if (isSafetensors) {
      // The readers are fetched when the first file is there.
      const { openProjections } = await import('./projection_file.js');
      const opened = await openProjections(file);
      requireSameDim(vectors?.dim, opened.dim);
      projections = { ...opened, fileName: file.name };
      forgetLayer();
    } else {
      const { openWordVectors } = await import('./word_vector_file.js');
      const opened = await openWordVectors(file, { step, report });
      requireSameDim(opened.dim, projections?.dim);
      vectors = { ...opened, fileName: file.name };
    }
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    const tidy = error.message.replace(/^not a valid safetensors file: /, '');
    const kind = isSafetensors ? 'as safetensors' : 'as word vectors';
    throw new Error(`“${file.name}” cannot be read ${kind}: ${tidy}`, { cause: error });
  }
  return describe();
}

export function describe() {
  const parts = [];
  if (vectors) {
    const count = vectors.count.toLocaleString('en');
    parts.push(`${vectors.fileName}: ${count} words, ${vectors.dim} numbers each`);
  }
  if (projections) {
    const [keys, values] = projections.widths;
    parts.push(
      `${projections.fileName}: W_Q, W_K ${projections.dim} × ${keys}, W_V ${projections.dim} × ${values}`,
    );
  }
  return parts.join('; ');
}

export async function read({ mode, first, second, heads = 1 }, { api, step }) {
  const rows = readTokens(first);
  const columns = mode === 'cross' ? readTokens(second) : rows;
  const unknown = new Set();
  const x = { rows: await vectorsOf(rows.labels, unknown, step) };
  x.columns = columns === rows ? x.rows : await vectorsOf(columns.labels, unknown, step);
  const count = projections?.heads ?? heads;
  const part = {
    id: 'files',
    name: projections ? projections.fileName : (vectors?.fileName ?? 'Spelling'),
    heads: count,
    causal: false,
    x,
    ...(projections ? project(api, x, count) : shared(x, count)),
  };
  return {
    rows: rows.labels,
    columns: columns.labels,
    cut: rows.cut || columns.cut,
    note: noteOn(unknown, heads),
    parts: [part],
  };
}

async function vectorsOf(labels, unknown, step) {
  const dim = vectors?.dim ?? projections?.dim ?? spellingDim;
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

function project(api, x, heads) {
  requireDivisor(heads, ...projections.widths);
  if (!layer || layerHeads !== heads) {
    forgetLayer();
    layer = api.MultiHeadAttention.fromWeights(projections.weights, { heads });
    layerHeads = heads;
  }
  const { query, key, value } = layer.project(x.rows, x.columns);
  const headFirst = ({ data, dims }) => ({ data, dims: dims.slice(-3) });
  const keyDim = projections.widths[0] / heads;
  return {
    query: headFirst(query),
    key: headFirst(key),
    value: headFirst(value),
    scale: 1 / Math.sqrt(keyDim),
  };
}

function shared(x, heads) {
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

function noteOn(unknown, heads) {
  if (projections?.heads && projections.heads !== heads) {
    return `Heads: ${projections.fileName} has ${projections.heads}, whatever is chosen.`;
  }
  if (!vectors && !projections) return 'No file yet: spelling stands in for it.';
  if (unknown.size === 0) {
    return projections ? '' : 'Without W_Q, W_K, W_V each head’s q, k and v are its share of x.';
  }
  const some = [...unknown].slice(0, 5).join(', ');
  const more = unknown.size > 5 ? ` and ${unknown.size - 5} more` : '';
  return `Not in ${vectors.fileName}, so a vector of zeros: ${some}${more}.`;
}

function requireSameDim(word, projection) {
  if (word === undefined || projection === undefined || word === projection) return;
  throw new Error(
    `the word vectors have ${word} numbers and W_Q takes ${projection}: they must be equal`,
  );
}

function forgetLayer() {
  layer?.delete();
  layer = null;
}

// Eight bytes of a length, then the header, which is JSON.
async function looksLikeSafetensors(file) {
  if (/\.safetensors$/i.test(file.name)) return true;
  const bytes = new Uint8Array(await file.slice(0, 9).arrayBuffer());
  return bytes.length === 9 && bytes[8] === 0x7b && bytes[7] === 0 && bytes[6] === 0;
}

// Content of the tour, computed once by the library with the trained model: a sentence from words to weights, and its
// translation with self- and cross-attention.

import { rowOf } from '../../tensors.js';
import { concatenate, projectionsOf } from '../sources/model_tensors.js';

export const english = 'The red car is fast.';
// Count of table rows shown on each side of a word's row.
const around = 4;

/** @returns {import('../../types').Lesson} */
export function makeLesson(api, translator) {
  const { tensors, heads } = translator;
  const { source, target, inputs, vectors } = translator.translate(english, {
    attention: false,
    vectors: true,
  });
  const attend = (vector, prefix, options) =>
    attentionOf(api, vector, { heads, options, projections: projectionsOf(tensors, prefix) });
  const encoder = attend(vectors.encoder[0], 'encoder.layers.0.self_attn.');
  const layer = vectors.cross.length - 1;
  const decoder = attend(vectors.decoder[0], 'decoder.layers.0.self_attn.', { causal: true });
  const cross = attend(vectors.cross[layer], `decoder.layers.${layer}.multihead_attn.`);
  const ids = source.tokens.map(({ id }) => id);
  const words = (tokens) => tokens.map(({ text }) => text);
  const row = source.tokens.findIndex(({ text }) => text === 'red');
  const column = source.tokens.findIndex(({ text }) => text === 'car');
  return {
    words: words(source.tokens),
    french: words(target.tokens),
    written: words(inputs.tokens),
    table: tableOf(api, tensors.get('embedding.weight'), ids),
    places: placesOf(api, tensors, ids),
    layers: { cross: layer + 1 },
    encoder,
    decoder,
    cross,
    start: {
      row,
      column,
      head: headThatLooks(encoder.weights, row, column),
      alignedHead: headThatTellsApart(cross.weights, target.tokens),
    },
  };
}

/** Rows of E around the words of the sentence. */
function tableOf(api, table, ids) {
  const [size, dim] = table.dims;
  const windows = ids.map((id) => {
    const first = Math.max(0, Math.min(size - 2 * around - 1, id - around));
    const rows = Array.from({ length: 2 * around + 1 }, (_, at) => first + at);
    return { first, rows: api.embed(rows, table) };
  });
  return { size, dim, ids, windows, rows: api.embed(ids, table) };
}

/** From rows of E to x: √d times the embedding plus position, normalized. */
function placesOf(api, tensors, ids) {
  const rows = api.embed(ids, tensors.get('embedding.weight'));
  const [count, dim] = rows.dims;
  const factor = Math.sqrt(dim);
  const waves = api.sinusoidalPositions(count, dim);
  const sum = {
    data: rows.data.map((number, at) => Math.fround(number * factor) + waves.data[at]),
    dims: rows.dims,
  };
  const weight = tensors.get('encoder.layers.0.norm1.weight');
  const bias = tensors.get('encoder.layers.0.norm1.bias');
  const x = api.layerNorm(sum, { weight, bias });
  return { factor, rows, waves, sum, x, weight: weight.data.slice(), bias: bias.data.slice() };
}

/** One attention: its inputs, its learned matrices, and every stage. */
function attentionOf(api, vector, { heads, options = {}, projections }) {
  const { x, context, query, key, value } = vector;
  const keyDim = query.dims.at(-1);
  const scale = 1 / Math.sqrt(keyDim);
  const ofOne = ({ data, dims }) => ({ data, dims: dims.slice(1) });
  const weigh = (more) =>
    ofOne(api.attention(query, key, value, { ...more, weights: true }).weights);
  const made = api.attention(query, key, value, { ...options, weights: true, scores: 'biased' });
  const joined = concatenate(ofOne(made.output));
  const { weight, bias } = projections.output;
  const layer = api.Linear.fromWeights({ weight, bias: { data: bias, dims: [bias.length] } });
  const output = layer.forward(joined);
  layer.delete();
  return {
    heads,
    keyDim,
    scale,
    projections,
    x: { rows: x, columns: context },
    query: ofOne(query),
    key: ofOne(key),
    value: ofOne(value),
    raw: ofOne(api.scores(query, key, { scale: 1, scores: 'raw' })),
    scaled: ofOne(api.scores(query, key, { scale, scores: 'raw' })),
    masked: ofOne(made.scores),
    weights: ofOne(made.weights),
    weightsUnscaled: weigh({ scale: 1 }),
    weightsUnmasked: weigh({ scale }),
    outputs: joined,
    output,
  };
}

/** The head with the largest weight between two words. */
function headThatLooks(weights, row, column) {
  const looks = Array.from(
    { length: weights.dims[0] },
    (_, head) => rowOf(weights, row, head)[column],
  );
  return looks.indexOf(Math.max(...looks));
}

/** The head whose rows have the most distinct and most concentrated maxima. */
function headThatTellsApart(weights, tokens) {
  const marks = Array.from({ length: weights.dims[0] }, (_, head) => {
    const seen = new Set();
    let sure = 0;
    tokens.forEach(({ special }, row) => {
      if (special) return;
      const looks = rowOf(weights, row, head);
      const most = Math.max(...looks);
      seen.add(looks.indexOf(most));
      sure += most / tokens.length;
    });
    return seen.size + sure;
  });
  return marks.indexOf(Math.max(...marks));
}

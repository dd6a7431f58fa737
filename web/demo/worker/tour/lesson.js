// Content of the tour, computed once by the library with the trained model: a sentence from words to weights, and its
// translation with self- and cross-attention.

import { placeOfPart } from '../../blocks.js';
import { rowOf } from '../../tensors.js';
import { builtInModel, read } from '../models/built_in_model.js';
import { concatenate, projectionsOf } from '../models/projections.js';

/** @import { AttentionApi } from 'attention-wasm' */
/** @import { Label, Lesson, Part } from '../../types' */
/** @import { SourceQuestion } from '../types' */

export const english = 'The red car is fast.';
// Count of table rows shown on each side of a word's row.
const around = 4;

/**
 * @param {AttentionApi} api
 * @returns {Promise<Lesson>}
 */
export async function makeLesson(api) {
  const { translator } = await builtInModel(api);
  const { tensors } = translator;
  /** @type {SourceQuestion} */
  const question = { mode: 'cross', first: '', second: english, heads: 1, positions: false };
  const reading = await read(question, { api, step: async () => {}, report: async () => {} });
  const { rows: target, columns: source } = reading;
  const [part] = reading.parts; // the last cross-attention
  const { layer } = placeOfPart(part.id);
  /** @param {string} id */
  const partWith = (id) => /** @type {Part} */ (reading.parts.find((one) => one.id === id));
  const attend = (one, prefix, options) =>
    attentionOf(api, one, { options, projections: projectionsOf(tensors, prefix) });
  const encoder = attend(partWith('encoder.0'), 'encoder.layers.0.self_attn.');
  const decoder = attend(partWith('decoder.0'), 'decoder.layers.0.self_attn.', { causal: true });
  const cross = attend(part, `decoder.layers.${layer}.multihead_attn.`);
  const ids = translator.tokenize(english).tokens.map(({ id }) => id);
  const words = (tokens) => tokens.map(({ text }) => text);
  const row = source.findIndex(({ text }) => text === 'red');
  const column = source.findIndex(({ text }) => text === 'car');
  return {
    words: words(source),
    french: words(target),
    written: words(partWith('decoder.0').columns ?? []),
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
      alignedHead: headThatTellsApart(cross.weights, target),
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
function attentionOf(api, part, { options = {}, projections }) {
  const { heads, scale, x } = part;
  const keyDim = part.query.dims.at(-1);
  const [query, key, value] = [part.query, part.key, part.value].map(({ data, dims }) => ({
    ...{ data, dims: [1, ...dims] },
  }));
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
    x,
    query: part.query,
    key: part.key,
    value: part.value,
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
    tokens.forEach(({ start }, row) => {
      if (start === null) return; // the end token
      const looks = rowOf(weights, row, head);
      const most = Math.max(...looks);
      seen.add(looks.indexOf(most));
      sure += most / tokens.length;
    });
    return seen.size + sure;
  });
  return marks.indexOf(Math.max(...marks));
}

// A rollout of layers: their weights in the model itself, rolled out by the library, and what it is in words.

import { rollout } from 'attention-wasm/models';
import { initialState } from '../../state_fields.js';
import { fixedBy } from '../sources/fixed_weights.js';
import { computeWeights } from './stages.js';

/** @import { AttentionApi, Tensor } from 'attention-wasm' */
/** @import { DrawnReading, RolledOut, RolloutPart, VectorPart } from '../../types' */

/**
 * Weights of a layer as the model has them, heads × n × n; heads that are switched off have none.
 * @param {AttentionApi} api
 * @param {VectorPart} part
 * @param {DrawnReading} reading
 * @returns {Tensor}
 */
function weightsOf(api, part, reading) {
  const data = computeWeights(api, part, reading, initialState).slice();
  const size = data.length / part.heads;
  for (const head of part.off ?? []) data.fill(0, head * size, (head + 1) * size);
  const n = Math.sqrt(size);
  return { data, dims: [part.heads, n, n] };
}

/**
 * @param {AttentionApi} api
 * @param {RolloutPart} part
 * @param {DrawnReading} reading
 * @returns {RolledOut}
 */
export function rolloutOf(api, { id, layers }, reading) {
  const { data, dims } = rollout(layers.map((layer) => weightsOf(api, layer, reading)));
  const isWriting = id === 'decoder.rollout';
  const ignored = `values, W_O${isWriting ? ', cross-attention' : ''} and feed-forward`;
  return {
    weights: { data, dims: [1, ...dims] },
    ...fixedBy('A rollout is made of the model’s own weights.'),
    made: 'rollout of the weights of all layers',
    note: `Rollout: in each layer the mean of all heads, half and half with the word itself, multiplied from layer to layer (Abnar and Zuidema, 2020). It ignores ${ignored}, so it is no measure of what a word contributes.`,
  };
}

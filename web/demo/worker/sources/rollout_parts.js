// Rollout of a stack of self-attention as one more part. Its weights are computed when they are first shown.

/** @import { Part, Reading, VectorPart } from '../../types' */

/** @type {Record<string, string | undefined>} */
const names = {
  self: 'Rollout, all layers',
  encoder: 'Encoder, rollout',
  decoder: 'Decoder, rollout',
};
/** @param {Part} part */
const stackOf = ({ id }) => id.split('.')[0];

/** @type {(part: Part) => part is VectorPart} */
const hasVectors = (part) => part.kind === 'vectors';

/**
 * The reading of a model with a rollout after the last layer of each stack of several layers; others as they are.
 * @template {Reading} R
 * @param {R} reading
 * @returns {R}
 */
export function withRollouts(reading) {
  if (reading.kind !== 'model') return reading;
  const parts = reading.parts.filter(hasVectors).flatMap((part, at, all) => {
    const stack = stackOf(part);
    const layers = all.filter((one) => stackOf(one) === stack);
    const name = names[stack];
    if (layers.at(-1) !== part || layers.length < 2 || !name) return [part];
    const { rows, columns, texts, ordered, causal } = part;
    const id = `${stack}.rollout`;
    const rollout = { id, name, heads: 1, layers, rows, columns, texts, ordered, causal };
    return [part, { kind: 'rollout', ...rollout }];
  });
  return { ...reading, parts };
}

// Rollout of a stack of self-attention as one more part. Its weights are computed when they are first shown.

/** @import { Part, Reading } from '../../types' */

/** @type {Record<string, string | undefined>} */
const names = {
  self: 'Rollout, all layers',
  encoder: 'Encoder, rollout',
  decoder: 'Decoder, rollout',
};
/** @param {Part} part */
const stackOf = ({ id }) => id.split('.')[0];

/**
 * The reading with a rollout after the last layer of each stack of several layers.
 * @param {Reading} reading
 * @returns {Reading}
 */
export const withRollouts = (reading) => ({
  ...reading,
  parts: reading.parts.flatMap((part, at, parts) => {
    const stack = stackOf(part);
    const layers = parts.filter((one) => stackOf(one) === stack);
    const name = names[stack];
    if (layers.at(-1) !== part || layers.length < 2 || !name) return [part];
    const { rows, columns, texts, ordered, causal } = part;
    const id = `${stack}.rollout`;
    const rollout = { id, name, heads: 1, layers, rows, columns, texts, ordered, causal };
    return [part, /** @type {Part} */ (rollout)];
  }),
});

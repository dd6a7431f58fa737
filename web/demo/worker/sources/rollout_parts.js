// Rollout of a stack of self-attention as one more part. Its weights are computed when they are first shown.

const names = {
  self: 'Rollout, all layers',
  encoder: 'Encoder, rollout',
  decoder: 'Decoder, rollout',
};
const stackOf = ({ id }) => id.split('.')[0];

/** The reading with a rollout after the last layer of each stack of several layers. */
export const withRollouts = (reading) => ({
  ...reading,
  parts: reading.parts.flatMap((part, at, parts) => {
    const stack = stackOf(part);
    const layers = parts.filter((one) => stackOf(one) === stack);
    if (layers.at(-1) !== part || layers.length < 2 || !names[stack]) return part;
    const { rows, columns, texts, ordered, causal } = part;
    const id = `${stack}.rollout`;
    return [
      part,
      { id, name: names[stack], heads: 1, layers, rows, columns, texts, ordered, causal },
    ];
  }),
});

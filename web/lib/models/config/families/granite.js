// Granite (IBM, 2024): Llama with constant factors of embeddings, scores, sublayers and logits.
import { causalHeads } from '../head_types.js';
import { llama } from './llama.js';

export function granite(c) {
  const described = llama(c);
  const stack = described.self;
  const factor = c.number('residual_multiplier', 1);
  const scales = { selfScale: { constant: factor }, feedForwardScale: { constant: factor } };
  return {
    ...described,
    self: {
      ...stack,
      weightNames: { ...stack.weightNames, ...(factor !== 1 && scales) },
      embed: { ...stack.embed, scale: c.number('embedding_multiplier', 1) },
      options: { ...stack.options, scale: c.number('attention_multiplier', 1) },
    },
    heads: causalHeads(c, { scale: 1 / c.positive('logits_scaling', 1) }),
  };
}

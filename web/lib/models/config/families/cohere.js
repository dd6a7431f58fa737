// Cohere's Command R (2024): parallel attention and feed-forward after one layer norm without bias; rotary positions of
// adjacent pairs; scaled logits.
import { causalHeads } from '../head_types.js';
import { llamaStack } from './llama.js';

const attention = ['self.query', 'self.key', 'self.value', 'self.output'];

export function cohere(c) {
  c.require('use_qk_norm', false);
  const withoutBias = [
    ...(c.flag('attention_bias', false) ? [] : attention),
    ...['gate', 'widen', 'narrow', 'selfNorm', 'norm'],
  ];
  const stack = llamaStack(c, { withoutBias, tied: true });
  const { feedForwardNorm: _, ...weightNames } = stack.weightNames;
  const { rotary } = stack.options;
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: {
      ...stack,
      weightNames,
      options: {
        ...stack.options,
        ...{ norm: 'layer', parallel: true, rotary: { ...rotary, interleaved: true } },
        epsilon: c.positive('layer_norm_eps', 1e-5),
      },
    },
    heads: causalHeads(c, { scale: c.number('logit_scale', 0.0625) }),
    ignoredFields: ['rms_norm_eps'],
  };
}

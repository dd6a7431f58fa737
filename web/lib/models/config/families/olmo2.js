// OLMo 2 (OLMo Team, 2025): Llama with RMS norms of what the sublayers add instead of their input, and of queries and keys
// over all heads.
import { causalHeads } from '../head_types.js';
import { llamaStack } from './llama.js';

export function olmo2(c) {
  const attention = ['self.query', 'self.key', 'self.value', 'self.output'];
  const stack = llamaStack(c, {
    withoutBias: [
      ...(c.flag('attention_bias', false) ? [] : attention),
      ...['gate', 'widen', 'narrow'],
    ],
  });
  const { selfNorm: _, feedForwardNorm: __, ...weightNames } = stack.weightNames;
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: {
      ...stack,
      weightNames: {
        ...weightNames,
        'self.queryNorm': 'self_attn.q_norm',
        'self.keyNorm': 'self_attn.k_norm',
        selfOutputNorm: 'post_attention_layernorm',
        feedForwardOutputNorm: 'post_feedforward_layernorm',
      },
      hasNormsOverHeads: true,
      options: { ...stack.options, epsilon: c.positive('rms_norm_eps', 1e-5) },
    },
    heads: causalHeads(c),
  };
}

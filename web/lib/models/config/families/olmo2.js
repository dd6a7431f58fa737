// OLMo 2 (OLMo Team, 2025): Llama with RMS norms of what the sublayers add instead of their input, and of queries and keys
// over all heads.
import {
  attentionWithoutBias,
  decoderModel,
  feedForward,
  llamaStack,
  queryAndKeyNorms,
} from './llama.js';

export function olmo2(c) {
  const stack = llamaStack(c, { withoutBias: [...attentionWithoutBias(c), ...feedForward] });
  const { selfNorm: _, feedForwardNorm: __, ...weightNames } = stack.weightNames;
  return decoderModel(c, {
    ...stack,
    weightNames: {
      ...weightNames,
      ...queryAndKeyNorms,
      selfOutputNorm: 'post_attention_layernorm',
      feedForwardOutputNorm: 'post_feedforward_layernorm',
    },
    hasNormsOverHeads: true,
    options: { ...stack.options, epsilon: c.positive('rms_norm_eps', 1e-5) },
  });
}

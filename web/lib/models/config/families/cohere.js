// Cohere's Command R (2024): parallel attention and feed-forward after one layer norm without bias; rotary positions of
// adjacent pairs; scaled logits.
import { causalHeads } from '../head_types.js';
import { attentionWithoutBias, decoderModel, feedForward, llamaStack } from './llama.js';

export function cohere(c) {
  c.require('use_qk_norm', false);
  const withoutBias = [...attentionWithoutBias(c), ...feedForward, 'selfNorm', 'norm'];
  const stack = llamaStack(c, { withoutBias, tied: true });
  const { feedForwardNorm: _, ...weightNames } = stack.weightNames;
  const { rotary } = stack.options;
  const self = {
    ...stack,
    weightNames,
    options: {
      ...stack.options,
      ...{ norm: 'layer', parallel: true, rotary: { ...rotary, interleaved: true } },
      epsilon: c.positive('layer_norm_eps', 1e-5),
    },
  };
  return decoderModel(c, self, {
    heads: causalHeads(c, { scale: c.number('logit_scale', 0.0625) }),
    ignoredFields: ['rms_norm_eps'],
  });
}

// StableLM (Bellagente et al., 2024): Llama with layer norms and partial rotary positions.
import { attention, decoderModel, feedForward, llamaStack } from './llama.js';

export function stablelm(c) {
  c.require('qk_layernorm', false);
  const [query, key, value, output] = attention;
  const withoutBias = [
    ...(c.flag('use_qkv_bias', false) ? [] : [query, key, value]),
    ...[output, ...feedForward],
  ];
  const stack = llamaStack(c, { withoutBias, fraction: 0.25 });
  const parallel = c.flag('use_parallel_residual', false);
  const { feedForwardNorm, ...weightNames } = stack.weightNames;
  const self = {
    ...stack,
    weightNames: { ...weightNames, ...(!parallel && { feedForwardNorm }) },
    options: {
      ...stack.options,
      norm: 'layer',
      parallel,
      epsilon: c.positive('layer_norm_eps|norm_eps', 1e-5),
    },
  };
  return decoderModel(c, self, { ignoredFields: ['rms_norm_eps'] });
}

// StableLM (Bellagente et al., 2024): Llama with layer norms and partial rotary positions.
import { causalHeads } from '../head_types.js';
import { llamaStack } from './llama.js';

const attention = ['self.query', 'self.key', 'self.value'];

export function stablelm(c) {
  c.require('qk_layernorm', false);
  const withoutBias = [
    ...(c.flag('use_qkv_bias', false) ? [] : attention),
    ...['self.output', 'gate', 'widen', 'narrow'],
  ];
  const stack = llamaStack(c, { withoutBias, fraction: 0.25 });
  const parallel = c.flag('use_parallel_residual', false);
  const { feedForwardNorm, ...weightNames } = stack.weightNames;
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: {
      ...stack,
      weightNames: { ...weightNames, ...(!parallel && { feedForwardNorm }) },
      options: {
        ...stack.options,
        norm: 'layer',
        parallel,
        epsilon: c.positive('layer_norm_eps|norm_eps', 1e-5),
      },
    },
    heads: causalHeads(c),
    ignoredFields: ['rms_norm_eps'],
  };
}

// StarCoder2 (Lozhkov et al., 2024): rotary positions, layer norms, grouped-query attention, biases everywhere.
import { causalHeads } from '../head_types.js';
import { llamaStack } from './llama.js';
import { windowsOf } from './sliding_windows.js';

export function starcoder2(c) {
  const matrices = ['self.query', 'self.key', 'self.value', 'self.output', 'widen', 'narrow'];
  const stack = llamaStack(c, { withoutBias: c.flag('use_bias', true) ? [] : matrices });
  const { gate: _, ...weightNames } = stack.weightNames;
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: {
      ...stack,
      weightNames: { ...weightNames, widen: 'mlp.c_fc', narrow: 'mlp.c_proj' },
      windowOf: windowsOf(c),
      options: {
        ...stack.options,
        norm: 'layer',
        activation: c.activation('hidden_act', 'gelu_pytorch_tanh'),
        epsilon: c.positive('norm_epsilon', 1e-5),
      },
    },
    heads: causalHeads(c),
    ignoredFields: ['mlp_type', 'norm_type', 'rms_norm_eps'],
  };
}

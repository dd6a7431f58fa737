// StarCoder2 (Lozhkov et al., 2024): rotary positions, layer norms, grouped-query attention, biases everywhere.
import { attention, decoderModel, llamaStack } from './llama.js';
import { windowsOf } from './sliding_windows.js';

export function starcoder2(c) {
  const matrices = [...attention, 'widen', 'narrow'];
  const stack = llamaStack(c, { withoutBias: c.flag('use_bias', true) ? [] : matrices });
  const { gate: _, ...weightNames } = stack.weightNames;
  const self = {
    ...stack,
    weightNames: { ...weightNames, widen: 'mlp.c_fc', narrow: 'mlp.c_proj' },
    windowOf: windowsOf(c),
    options: {
      ...stack.options,
      norm: 'layer',
      activation: c.activation('hidden_act', 'gelu_pytorch_tanh'),
      epsilon: c.positive('norm_epsilon', 1e-5),
    },
  };
  return decoderModel(c, self, { ignoredFields: ['mlp_type', 'norm_type', 'rms_norm_eps'] });
}

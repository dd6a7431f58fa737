// Gemma 3 (Gemma Team, 2025), its language model: Gemma 2 with norms of queries and keys, without softcaps; most layers have
// windows and a rotary base of their own.
import { gemmaWithOutputNorms } from './gemma2.js';
import { localLayers } from './sliding_windows.js';

export function gemma3Text(c) {
  const interval = c.integer('sliding_window_pattern|_sliding_window_pattern', 6);
  const isLocal = (n) => (n + 1) % interval !== 0;
  const described = gemmaWithOutputNorms(c, { isLocal, base: 1e6 });
  const stack = described.self;
  const hasLocalBase = localLayers(c, isLocal);
  const local = {
    rotary: { width: stack.keyDim, theta: c.positive('rope_local_base_freq', 10_000) },
  };
  const weightNames = {
    ...stack.weightNames,
    'self.queryNorm': 'self_attn.q_norm',
    'self.keyNorm': 'self_attn.k_norm',
  };
  return {
    ...described,
    self: {
      ...stack,
      weightNames,
      // rope_parameters has the frequencies of each layer type. Without a window the layers keep their base.
      optionsOf: stack.optionsOf ?? ((n) => (hasLocalBase(n) ? local : undefined)),
    },
  };
}

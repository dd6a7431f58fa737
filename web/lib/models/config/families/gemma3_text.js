// Gemma 3 (Gemma Team, 2025), its language model: Gemma 2 with norms of queries and keys, without softcaps; most layers have
// windows and a rotary base of their own.
import { gemmaWithOutputNorms } from './gemma2.js';
import { queryAndKeyNorms } from './llama.js';
import { localLayers } from './sliding_windows.js';

export function gemma3Text(c) {
  const interval = c.integer('sliding_window_pattern|_sliding_window_pattern', 6);
  const isLocal = (n) => (n + 1) % interval !== 0;
  const hasLocalTheta = localLayers(c, isLocal);
  const base = 1e6;
  const thetas = {
    full_attention: c.positive('rope_theta', base),
    sliding_attention: c.positive('rope_local_base_freq', 10_000),
  };
  const typeOf = (n) => (hasLocalTheta(n) ? 'sliding_attention' : 'full_attention');
  const rotary = { base, rotaryTypes: { thetas, typeOf } };
  const described = gemmaWithOutputNorms(c, { isLocal, rotary });
  const stack = described.self;
  const local = { rotary: { width: stack.keyDim, theta: thetas.sliding_attention } };
  return {
    ...described,
    self: {
      ...stack,
      weightNames: { ...stack.weightNames, ...queryAndKeyNorms },
      // rope_parameters has the frequencies of each layer type. Without a window the layers keep their theta.
      optionsOf: stack.optionsOf ?? ((n) => (hasLocalTheta(n) ? local : undefined)),
    },
  };
}

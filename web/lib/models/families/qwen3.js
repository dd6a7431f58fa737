// Qwen3 (Yang et al., 2025): Llama whose queries and keys are normed, head by head, before they are turned.
import { causalHeads } from '../heads.js';
import { llamaStack } from './llama.js';
import { windowsOf } from './sliding_windows.js';

export function qwen3(c) {
  const attention = ['self.query', 'self.key', 'self.value', 'self.output'];
  const stack = llamaStack(c, {
    keyDim: 128,
    withoutBias: [
      ...(c.flag('attention_bias', false) ? [] : attention),
      ...['gate', 'widen', 'narrow'],
    ],
  });
  const parts = {
    ...stack.parts,
    'self.queryNorm': 'self_attn.q_norm',
    'self.keyNorm': 'self_attn.k_norm',
  };
  const windowOf = c.flag('use_sliding_window', false)
    ? windowsOf(c, { first: c.whole('max_window_layers', 28, 0) })
    : undefined;
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    self: { ...stack, parts, windowOf },
    heads: causalHeads(c),
  };
}

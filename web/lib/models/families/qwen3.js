// Qwen3 (Yang et al., 2025): Llama whose queries and keys are normed, head by head, before they are turned.
import { causalHeads } from '../heads.js';
import { llamaStack } from './llama.js';
import { switchedWindows } from './sliding_windows.js';

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
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    self: { ...stack, parts, windowOf: switchedWindows(c) },
    heads: causalHeads(c),
  };
}

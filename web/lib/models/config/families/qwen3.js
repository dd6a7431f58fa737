// Qwen3 (Yang et al., 2025): Llama with RMS norms of queries and keys, per head, before the rotary embedding.
import { causalHeads } from '../head_types.js';
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
  const weightNames = {
    ...stack.weightNames,
    'self.queryNorm': 'self_attn.q_norm',
    'self.keyNorm': 'self_attn.k_norm',
  };
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: { ...stack, weightNames, windowOf: switchedWindows(c) },
    heads: causalHeads(c),
  };
}

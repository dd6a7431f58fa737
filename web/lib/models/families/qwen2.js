// Qwen2 and 2.5 (Yang et al., 2024): Llama with biases of query, key and value; some of its layers may look back a window.
import { causalHeads } from '../heads.js';
import { llamaStack } from './llama.js';
import { switchedWindows } from './sliding_windows.js';

export function qwen2(c) {
  const stack = llamaStack(c, { withoutBias: ['self.output', 'gate', 'widen', 'narrow'] });
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    self: { ...stack, windowOf: switchedWindows(c) },
    heads: causalHeads(c),
  };
}

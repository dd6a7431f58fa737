// Mistral (Jiang et al., 2023): Llama with sliding-window attention if the config has a window.
import { causalHeads } from '../head_types.js';
import { llamaStack } from './llama.js';
import { windowsOf } from './sliding_windows.js';

export function mistral(c) {
  const withoutBias = [
    'self.query',
    'self.key',
    'self.value',
    'self.output',
    'gate',
    'widen',
    'narrow',
  ];
  const stack = llamaStack(c, { withoutBias });
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: { ...stack, windowOf: windowsOf(c) },
    heads: causalHeads(c),
  };
}

// Mistral (Jiang et al., 2023): Llama that looks back a window, where the config has one.
import { causalHeads } from '../heads.js';
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
    vocabulary: c.whole('vocab_size'),
    self: { ...stack, windowOf: windowsOf(c, { first: 0 }) },
    heads: causalHeads(c),
  };
}

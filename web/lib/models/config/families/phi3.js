// Phi-3 and Phi-4 (Abdin et al., 2024): Llama with query, key and value in one matrix, gate and up projection in another.
import { causalHeads } from '../head_types.js';
import { llamaStack } from './llama.js';
import { windowsOf } from './sliding_windows.js';

const matrices = ['self.query', 'self.key', 'self.value', 'self.output', 'gate', 'widen', 'narrow'];

export function phi3(c) {
  const stack = llamaStack(c, { withoutBias: matrices });
  const { heads, kvHeads } = stack;
  const of = heads + 2 * kvHeads;
  const fused = (index, units) => ({ fused: 'self_attn.qkv_proj', index, of, units });
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: {
      ...stack,
      weightNames: {
        ...stack.weightNames,
        'self.query': fused(0, heads),
        'self.key': fused(heads, kvHeads),
        'self.value': fused(heads + kvHeads, kvHeads),
        gate: { fused: 'mlp.gate_up_proj', index: 0, of: 2 },
        widen: { fused: 'mlp.gate_up_proj', index: 1, of: 2 },
      },
      windowOf: windowsOf(c),
    },
    heads: causalHeads(c),
  };
}

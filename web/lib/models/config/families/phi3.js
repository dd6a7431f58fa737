// Phi-3 and Phi-4 (Abdin et al., 2024): Llama with query, key and value in one matrix, gate and up projection in another.
import { attention, decoderModel, feedForward, llamaStack } from './llama.js';
import { windowsOf } from './sliding_windows.js';

export function phi3(c) {
  const stack = llamaStack(c, { withoutBias: [...attention, ...feedForward] });
  const { heads, kvHeads } = stack;
  const of = heads + 2 * kvHeads;
  const fused = (index, units) => ({ fused: 'self_attn.qkv_proj', index, of, units });
  return decoderModel(c, {
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
  });
}

// Qwen3 (Yang et al., 2025): Llama with RMS norms of queries and keys, per head, before the rotary embedding.
import {
  attentionWithoutBias,
  decoderModel,
  feedForward,
  llamaStack,
  queryAndKeyNorms,
} from './llama.js';
import { switchedWindows } from './sliding_windows.js';

export function qwen3(c) {
  const withoutBias = [...attentionWithoutBias(c), ...feedForward];
  const stack = llamaStack(c, { keyDim: 128, withoutBias });
  const weightNames = { ...stack.weightNames, ...queryAndKeyNorms };
  return decoderModel(c, { ...stack, weightNames, windowOf: switchedWindows(c) });
}

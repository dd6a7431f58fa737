// Qwen2 and 2.5 (Yang et al., 2024): Llama with biases of query, key and value; some layers may have windowed
// attention.
import { decoderModel, feedForward, llamaStack } from './llama.js';
import { switchedWindows } from './sliding_windows.js';

export function qwen2(c) {
  c.require('use_mrope', false);
  const stack = llamaStack(c, { withoutBias: ['self.output', ...feedForward] });
  return decoderModel(c, { ...stack, windowOf: switchedWindows(c) });
}

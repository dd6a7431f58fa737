// Mistral (Jiang et al., 2023): Llama with sliding-window attention if the config has a window.
import { attention, decoderModel, feedForward, llamaStack } from './llama.js';
import { windowsOf } from './sliding_windows.js';

export function mistral(c) {
  const stack = llamaStack(c, { withoutBias: [...attention, ...feedForward] });
  return decoderModel(c, { ...stack, windowOf: windowsOf(c) });
}

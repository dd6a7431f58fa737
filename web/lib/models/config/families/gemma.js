// Gemma (Gemma Team, 2024): Llama with embeddings scaled by √d and RMS norms that multiply by 1 + weight.
import { attentionWithoutBias, decoderModel, feedForward, llamaStack } from './llama.js';

/** rotary: base and rotaryTypes of llamaStack(). */
export function gemma(c, rotary) {
  const withoutBias = [...attentionWithoutBias(c), ...feedForward];
  const activation = ['hidden_activation', 'gelu_pytorch_tanh'];
  const stack = llamaStack(c, { withoutBias, keyDim: 256, tied: true, activation, ...rotary });
  const embed = { ...stack.embed, scale: Math.sqrt(stack.width) };
  // Published as 'gelu', but the models were trained with its approximation, which hidden_activation names.
  const ignoredFields = ['hidden_act'];
  return decoderModel(c, { ...stack, normOffset: 1, embed }, { ignoredFields });
}

// Gemma (Gemma Team, 2024): Llama with embeddings scaled by √d and RMS norms that multiply by 1 + weight.
import { causalHeads } from '../head_types.js';
import { llamaStack } from './llama.js';

/** rotary: base and rotaryTypes of llamaStack(). */
export function gemma(c, rotary) {
  const attention = ['self.query', 'self.key', 'self.value', 'self.output'];
  const withoutBias = [
    ...(c.flag('attention_bias', false) ? [] : attention),
    ...['gate', 'widen', 'narrow'],
  ];
  const activation = ['hidden_activation', 'gelu_pytorch_tanh'];
  const stack = llamaStack(c, { withoutBias, keyDim: 256, tied: true, activation, ...rotary });
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: {
      ...stack,
      normOffset: 1,
      embed: { ...stack.embed, scale: Math.sqrt(stack.width) },
    },
    heads: causalHeads(c),
    // Published as 'gelu', but the models were trained with its approximation, which hidden_activation names.
    ignoredFields: ['hidden_act'],
  };
}

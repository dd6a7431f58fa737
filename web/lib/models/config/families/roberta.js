// RoBERTa and XLM-RoBERTa (Liu et al., 2019; Conneau et al., 2020): BERT with positions that start after the
// padding index, and different heads.
import { classifiers, maskedLanguageModel } from '../head_types.js';
import { bertStack } from './bert.js';

export function roberta(c, positionTypes) {
  const padding = c.integer('pad_token_id', 1, 0);
  const stack = bertStack(c, positionTypes);
  Object.assign(stack.embed.positions, { from: padding + 1, padding });
  return {
    prefix: 'roberta.',
    vocabulary: c.integer('vocab_size'),
    self: stack,
    pooler: { name: 'pooler.dense', activation: 'tanh' },
    heads: [
      maskedLanguageModel({
        dense: 'lm_head.dense',
        activation: 'gelu',
        norm: 'lm_head.layer_norm',
        words: 'lm_head.decoder',
        bias: 'lm_head.bias',
      }),
      ...classifiers(c, {
        on: 'first',
        steps: [{ linear: 'classifier.dense' }, 'tanh', { linear: 'classifier.out_proj' }],
      }),
    ],
  };
}

// RoBERTa and XLM-RoBERTa (Liu et al., 2019; Conneau et al., 2020): BERT whose positions count from behind the
// number of the padding, and whose heads are others.
import { classifiers, maskedWords } from '../heads.js';
import { bertStack } from './bert.js';

export function roberta(c) {
  const padding = c.whole('pad_token_id', 1, 0);
  const stack = bertStack(c);
  Object.assign(stack.embed.positions, { from: padding + 1, padding });
  return {
    prefix: 'roberta.',
    vocabulary: c.whole('vocab_size'),
    self: stack,
    pooler: { name: 'pooler.dense', activation: 'tanh' },
    heads: [
      maskedWords({
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

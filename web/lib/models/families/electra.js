// ELECTRA (Clark et al., 2020): BERT's layers, embeddings that may be narrower, and two kinds of training: a
// discriminator that says of each token whether it was replaced, and a generator that fills in.
import { classifiers, maskedWords } from '../heads.js';
import { bertStack } from './bert.js';

export function electra(c) {
  const stack = bertStack(c);
  const width = c.whole('embedding_size', stack.width);
  Object.assign(stack.embed, {
    width,
    ...(width !== stack.width && { project: 'embeddings_project' }),
  });
  return {
    prefix: 'electra.',
    vocabulary: c.whole('vocab_size'),
    self: stack,
    heads: [
      maskedWords({
        dense: 'generator_predictions.dense',
        activation: 'gelu',
        norm: 'generator_predictions.LayerNorm',
        words: 'generator_lm_head',
        bias: 'generator_lm_head.bias',
        width,
      }),
      {
        on: 'tokens',
        steps: [
          { linear: 'discriminator_predictions.dense' },
          c.activation('hidden_act', 'gelu'),
          { linear: 'discriminator_predictions.dense_prediction', rows: 1 },
        ],
      },
      ...classifiers(c, {
        on: 'first',
        steps: [{ linear: 'classifier.dense' }, 'gelu', { linear: 'classifier.out_proj' }],
      }),
    ],
    ignored: /^(discriminator|generator)_predictions\./,
  };
}

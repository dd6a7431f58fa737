// ELECTRA (Clark et al., 2020): BERT's layers, embeddings that may be smaller than the model width, and two models: a
// discriminator that detects replaced tokens, and a generator for masked tokens.
import { classifiers, maskedLanguageModel } from '../head_types.js';
import { bertStack } from './bert.js';

export function electra(c) {
  const stack = bertStack(c);
  const width = c.integer('embedding_size', stack.width);
  Object.assign(stack.embed, {
    width,
    ...(width !== stack.width && { project: 'embeddings_project' }),
  });
  return {
    prefix: 'electra.',
    vocabulary: c.integer('vocab_size'),
    self: stack,
    heads: [
      maskedLanguageModel({
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
    ignoredFields: ['generator_size'],
    ignored: /^(discriminator|generator)_predictions\./,
  };
}

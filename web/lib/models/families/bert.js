// BERT (Devlin et al., 2018): post-norm encoder, learned positions and types, both texts of a pair told apart.
import { classifiers, maskedWords } from '../heads.js';

export const bertParts = {
  'self.query': 'attention.self.query',
  'self.key': 'attention.self.key',
  'self.value': 'attention.self.value',
  'self.output': 'attention.output.dense',
  selfNorm: 'attention.output.LayerNorm',
  widen: 'intermediate.dense',
  narrow: 'output.dense',
  feedForwardNorm: 'output.LayerNorm',
};

/** What BERT, RoBERTa and ELECTRA have in common. */
export function bertStack(c) {
  c.require('position_embedding_type', 'absolute');
  c.require('is_decoder', false);
  return {
    layers: c.layers('num_hidden_layers'),
    width: c.whole('hidden_size'),
    heads: c.whole('num_attention_heads'),
    inner: c.whole('intermediate_size'),
    embed: {
      words: 'embeddings.word_embeddings',
      positions: {
        name: 'embeddings.position_embeddings',
        count: c.whole('max_position_embeddings'),
      },
      types: { name: 'embeddings.token_type_embeddings', count: c.whole('type_vocab_size', 2) },
      norm: 'embeddings.LayerNorm',
    },
    at: 'encoder.layer.#.',
    parts: bertParts,
    options: {
      activation: c.activation('hidden_act', 'gelu'),
      epsilon: c.number('layer_norm_eps', 1e-12),
    },
  };
}

export function bert(c) {
  return {
    prefix: 'bert.',
    vocabulary: c.whole('vocab_size'),
    self: bertStack(c),
    pooler: { name: 'pooler.dense', activation: 'tanh' },
    heads: [
      maskedWords({
        dense: 'cls.predictions.transform.dense',
        activation: c.activation('hidden_act', 'gelu'),
        norm: 'cls.predictions.transform.LayerNorm',
        words: 'cls.predictions.decoder',
        bias: 'cls.predictions.bias',
      }),
      ...classifiers(c, { on: 'pooled', steps: [{ linear: 'classifier' }] }),
    ],
    ignored: /^cls\./,
  };
}

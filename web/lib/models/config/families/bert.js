// BERT (Devlin et al., 2018): post-norm encoder, learned positions, token types that distinguish the texts of a
// pair.
import { classifiers, maskedLanguageModel } from '../head_types.js';

export const bertWeightNames = {
  'self.query': 'attention.self.query',
  'self.key': 'attention.self.key',
  'self.value': 'attention.self.value',
  'self.output': 'attention.output.dense',
  selfNorm: 'attention.output.LayerNorm',
  widen: 'intermediate.dense',
  narrow: 'output.dense',
  feedForwardNorm: 'output.LayerNorm',
};

// Written by old versions; the pooler is one dense layer.
const oldPoolerFields = [
  ...['directionality', 'pooler_fc_size', 'pooler_num_attention_heads', 'pooler_num_fc_layers'],
  ...['pooler_size_per_head', 'pooler_type'],
];

/** The encoder of BERT and its relatives. positionTypes: accepted values of position_embedding_type. */
export function bertStack(c, positionTypes = ['absolute']) {
  c.require('position_embedding_type', ...positionTypes);
  c.require('is_decoder', false);
  return {
    layers: c.layers('num_hidden_layers'),
    width: c.integer('hidden_size'),
    heads: c.integer('num_attention_heads'),
    feedForwardWidth: c.integer('intermediate_size'),
    embed: {
      words: 'embeddings.word_embeddings',
      positions: {
        name: 'embeddings.position_embeddings',
        count: c.integer('max_position_embeddings'),
      },
      types: { name: 'embeddings.token_type_embeddings', count: c.integer('type_vocab_size', 2) },
      norm: 'embeddings.LayerNorm',
    },
    layerPrefix: 'encoder.layer.#.',
    weightNames: bertWeightNames,
    options: {
      activation: c.activation('hidden_act', 'gelu'),
      epsilon: c.positive('layer_norm_eps', 1e-12),
    },
  };
}

export function bert(c) {
  return {
    prefix: 'bert.',
    vocabulary: c.integer('vocab_size'),
    self: bertStack(c),
    pooler: { name: 'pooler.dense', activation: 'tanh' },
    heads: [
      maskedLanguageModel({
        dense: 'cls.predictions.transform.dense',
        activation: c.activation('hidden_act', 'gelu'),
        norm: 'cls.predictions.transform.LayerNorm',
        words: 'cls.predictions.decoder',
        bias: 'cls.predictions.bias',
      }),
      ...classifiers(c, { on: 'pooled', steps: [{ linear: 'classifier' }] }),
    ],
    ignored: /^cls\./,
    ignoredFields: oldPoolerFields,
  };
}

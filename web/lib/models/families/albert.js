// ALBERT (Lan et al., 2019): BERT with narrow embeddings, widened once, and layers that share their weights.
import { classifiers, maskedWords } from '../heads.js';

export function albert(c) {
  c.require('position_embedding_type', 'absolute');
  const layers = c.layers('num_hidden_layers');
  const groups = c.whole('num_hidden_groups', 1);
  const inner = c.layers('inner_group_num', 1);
  const epsilon = c.number('layer_norm_eps', 1e-12);
  const activation = c.activation('hidden_act', 'gelu_new');
  return {
    prefix: 'albert.',
    vocabulary: c.whole('vocab_size'),
    self: {
      layers: layers * inner,
      width: c.whole('hidden_size'),
      heads: c.whole('num_attention_heads'),
      inner: c.whole('intermediate_size'),
      embed: {
        width: c.whole('embedding_size'),
        words: 'embeddings.word_embeddings',
        positions: {
          name: 'embeddings.position_embeddings',
          count: c.whole('max_position_embeddings'),
        },
        types: { name: 'embeddings.token_type_embeddings', count: c.whole('type_vocab_size', 2) },
        norm: 'embeddings.LayerNorm',
        project: 'encoder.embedding_hidden_mapping_in',
      },
      at(n) {
        const group = Math.floor(Math.floor(n / inner) / (layers / groups));
        return `encoder.albert_layer_groups.${group}.albert_layers.${n % inner}.`;
      },
      parts: {
        'self.query': 'attention.query',
        'self.key': 'attention.key',
        'self.value': 'attention.value',
        'self.output': 'attention.dense',
        selfNorm: 'attention.LayerNorm',
        widen: 'ffn',
        narrow: 'ffn_output',
        feedForwardNorm: 'full_layer_layer_norm',
      },
      options: { activation, epsilon },
    },
    pooler: { name: 'pooler', activation: 'tanh' },
    heads: [
      maskedWords({
        dense: 'predictions.dense',
        activation,
        norm: 'predictions.LayerNorm',
        words: 'predictions.decoder',
        bias: 'predictions.bias',
        width: c.whole('embedding_size'),
      }),
      ...classifiers(c, { on: 'pooled', steps: [{ linear: 'classifier' }] }),
    ],
    ignored: /^(sop_classifier|predictions)\./,
  };
}

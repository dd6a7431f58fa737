// ALBERT (Lan et al., 2019): BERT with narrow embeddings, widened once, and layers that share their weights.
import { classifiers, maskedWords } from '../heads.js';
import { bertStack } from './bert.js';

export function albert(c) {
  const stack = bertStack(c);
  const groups = c.whole('num_hidden_groups', 1);
  const inner = c.layers('inner_group_num', 1);
  const width = c.whole('embedding_size');
  const activation = c.activation('hidden_act', 'gelu_new');
  return {
    prefix: 'albert.',
    vocabulary: c.whole('vocab_size'),
    self: {
      ...stack,
      layers: stack.layers * inner,
      embed: { ...stack.embed, width, project: 'encoder.embedding_hidden_mapping_in' },
      at(n) {
        const group = Math.floor(Math.floor(n / inner) / (stack.layers / groups));
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
      options: { ...stack.options, activation },
    },
    pooler: { name: 'pooler', activation: 'tanh' },
    heads: [
      maskedWords({
        dense: 'predictions.dense',
        activation,
        norm: 'predictions.LayerNorm',
        words: 'predictions.decoder',
        bias: 'predictions.bias',
        width,
      }),
      ...classifiers(c, { on: 'pooled', steps: [{ linear: 'classifier' }] }),
    ],
    ignored: /^(sop_classifier|predictions)\./,
  };
}

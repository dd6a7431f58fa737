// ALBERT (Lan et al., 2019): BERT with smaller embeddings, projected to the model width, and
// layers that share their weights.
import { classifiers, maskedLanguageModel } from '../head_types.js';
import { bertStack } from './bert.js';

export function albert(c) {
  const stack = bertStack(c);
  const groups = c.integer('num_hidden_groups', 1);
  const layersPerGroup = c.layers('inner_group_num', 1);
  const width = c.integer('embedding_size');
  const activation = c.activation('hidden_act', 'gelu_new');
  return {
    prefix: 'albert.',
    vocabulary: c.integer('vocab_size'),
    self: {
      ...stack,
      layers: stack.layers * layersPerGroup,
      embed: { ...stack.embed, width, project: 'encoder.embedding_hidden_mapping_in' },
      layerPrefix(n) {
        const group = Math.floor(Math.floor(n / layersPerGroup) / (stack.layers / groups));
        return `encoder.albert_layer_groups.${group}.albert_layers.${n % layersPerGroup}.`;
      },
      weightNames: {
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
      maskedLanguageModel({
        dense: 'predictions.dense',
        activation,
        norm: 'predictions.LayerNorm',
        words: 'predictions.decoder',
        bias: 'predictions.bias',
        width,
      }),
      ...classifiers(c, { on: 'pooled', steps: [{ linear: 'classifier' }] }),
    ],
    ignoredFields: ['net_structure_type', 'gap_size', 'num_memory_blocks', 'down_scale_factor'],
    ignored: /^(sop_classifier|predictions)\./,
  };
}

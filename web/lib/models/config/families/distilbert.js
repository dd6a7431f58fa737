// DistilBERT (Sanh et al., 2019): half of BERT's layers, no token types, no pooler, different tensor names.
import { classifiers, maskedLanguageModel } from '../head_types.js';

export function distilbert(c) {
  const activation = c.activation('activation', 'gelu');
  return {
    prefix: 'distilbert.',
    vocabulary: c.integer('vocab_size'),
    self: {
      layers: c.layers('n_layers|num_hidden_layers'),
      width: c.integer('dim|hidden_size'),
      heads: c.integer('n_heads|num_attention_heads'),
      feedForwardWidth: c.integer('hidden_dim|intermediate_size'),
      embed: {
        words: 'embeddings.word_embeddings',
        positions: {
          name: 'embeddings.position_embeddings',
          count: c.integer('max_position_embeddings'),
        },
        norm: 'embeddings.LayerNorm',
      },
      layerPrefix: 'transformer.layer.#.',
      weightNames: {
        'self.query': 'attention.q_lin',
        'self.key': 'attention.k_lin',
        'self.value': 'attention.v_lin',
        'self.output': 'attention.out_lin',
        selfNorm: 'sa_layer_norm',
        widen: 'ffn.lin1',
        narrow: 'ffn.lin2',
        feedForwardNorm: 'output_layer_norm',
      },
      options: { activation, epsilon: 1e-12 },
    },
    heads: [
      maskedLanguageModel({
        dense: 'vocab_transform',
        activation,
        norm: 'vocab_layer_norm',
        words: 'vocab_projector',
        bias: 'vocab_projector.bias',
      }),
      ...classifiers(c, {
        on: 'first',
        steps: [{ linear: 'pre_classifier' }, 'relu', { linear: 'classifier' }],
      }),
    ],
    ignoredFields: ['sinusoidal_pos_embds', 'tie_weights_'],
  };
}

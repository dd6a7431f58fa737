// BLOOM (Scao et al., 2022): ALiBi, a norm after the embeddings; query, key and value fused in one matrix, grouped by head.
import { alibiSlopes } from '../alibi_slopes.js';
import { causalHeads } from '../head_types.js';

export function bloom(c) {
  const width = c.integer('hidden_size|n_embed');
  const heads = c.integer('n_head|num_attention_heads');
  c.require('apply_residual_connection_post_layernorm', false);
  const fused = (index) => ({
    ...{ fused: 'self_attention.query_key_value', index, of: 3, groups: heads },
  });
  return {
    prefix: 'transformer.',
    vocabulary: c.integer('vocab_size'),
    self: {
      causal: true,
      layers: c.layers('n_layer|num_hidden_layers'),
      ...{ width, heads, feedForwardWidth: 4 * width },
      embed: { words: 'word_embeddings', norm: 'word_embeddings_layernorm' },
      layerPrefix: 'h.#.',
      weightNames: {
        selfNorm: 'input_layernorm',
        'self.query': fused(0),
        'self.key': fused(1),
        'self.value': fused(2),
        'self.output': 'self_attention.dense',
        feedForwardNorm: 'post_attention_layernorm',
        widen: 'mlp.dense_h_to_4h',
        narrow: 'mlp.dense_4h_to_h',
      },
      norm: 'ln_f',
      scoresOf: () => ({ slopes: alibiSlopes(heads) }),
      options: {
        normFirst: true,
        activation: 'gelu_tanh',
        epsilon: c.positive('layer_norm_epsilon', 1e-5),
      },
    },
    heads: causalHeads(c),
    ignoredFields: [
      ...['seq_length', 'n_inner', 'offset_alibi', 'skip_bias_add', 'skip_bias_add_qkv'],
      ...['slow_but_exact', 'unk_token_id', 'masked_softmax_fusion', 'bias_dropout_fusion'],
      ...['attention_softmax_in_fp32'],
    ],
  };
}

// GPT-2 (Radford et al., 2019): pre-norm decoder, learned positions; matrices are stored in × out, with query, key and
// value fused in one.
import { causalHeads } from '../head_types.js';

export function gpt2(c) {
  const width = c.integer('n_embd|hidden_size');
  const heads = c.integer('n_head|num_attention_heads');
  const scaled = c.flag('scale_attn_weights', true) ? Math.sqrt(heads / width) : 1;
  c.require('add_cross_attention', false);
  const byLayer = c.flag('scale_attn_by_inverse_layer_idx', false);
  return {
    prefix: 'transformer.',
    vocabulary: c.integer('vocab_size|vocab'),
    self: {
      causal: true,
      layers: c.layers('n_layer|num_hidden_layers'),
      width,
      heads,
      feedForwardWidth: c.integer('n_inner', 4 * width),
      embed: {
        words: 'wte|lm_head',
        positions: { name: 'wpe', count: c.integer('n_positions|n_ctx|max_position_embeddings') },
      },
      layerPrefix: 'h.#.',
      inByOut: true,
      weightNames: {
        selfNorm: 'ln_1',
        'self.query': { fused: 'attn.c_attn', index: 0, of: 3 },
        'self.key': { fused: 'attn.c_attn', index: 1, of: 3 },
        'self.value': { fused: 'attn.c_attn', index: 2, of: 3 },
        'self.output': 'attn.c_proj',
        feedForwardNorm: 'ln_2',
        widen: 'mlp.c_fc',
        narrow: 'mlp.c_proj',
      },
      norm: 'ln_f',
      options: {
        normFirst: true,
        activation: c.activation('activation_function', 'gelu_new'),
        epsilon: c.positive('layer_norm_epsilon', 1e-5),
        scale: scaled,
      },
      optionsOf: (n) => (byLayer ? { scale: scaled / (n + 1) } : {}),
    },
    heads: causalHeads(c),
    ignoredFields: ['reorder_and_upcast_attn', 'predict_special_tokens'],
    ignored: /(^|\.)attn\.(masked_)?bias$/,
  };
}

// GPT-2 (Radford et al., 2019): pre-norm decoder, learned positions; matrices are stored in × out, and query, key and
// value side by side in one.
import { causalHeads } from '../heads.js';

export function gpt2(c) {
  const width = c.whole('n_embd|hidden_size');
  const heads = c.whole('n_head|num_attention_heads');
  const scaled = c.flag('scale_attn_weights', true) ? Math.sqrt(heads / width) : 1;
  c.require('add_cross_attention', false);
  const byLayer = c.flag('scale_attn_by_inverse_layer_idx', false);
  return {
    prefix: 'transformer.',
    vocabulary: c.whole('vocab_size|vocab'),
    self: {
      causal: true,
      layers: c.layers('n_layer|num_hidden_layers'),
      width,
      heads,
      inner: c.whole('n_inner', 4 * width),
      embed: {
        words: 'wte|lm_head',
        positions: { name: 'wpe', count: c.whole('n_positions|n_ctx|max_position_embeddings') },
      },
      at: 'h.#.',
      inByOut: true,
      parts: {
        selfNorm: 'ln_1',
        'self.query': { fused: 'attn.c_attn', part: 0, of: 3 },
        'self.key': { fused: 'attn.c_attn', part: 1, of: 3 },
        'self.value': { fused: 'attn.c_attn', part: 2, of: 3 },
        'self.output': 'attn.c_proj',
        feedForwardNorm: 'ln_2',
        widen: 'mlp.c_fc',
        narrow: 'mlp.c_proj',
      },
      norm: 'ln_f',
      options: {
        normFirst: true,
        activation: c.activation('activation_function', 'gelu_new'),
        epsilon: c.number('layer_norm_epsilon', 1e-5),
        scale: scaled,
      },
      optionsOf: (n) => (byLayer ? { scale: scaled / (n + 1) } : {}),
    },
    heads: causalHeads(c, { tied: true }),
    ignored: /(^|\.)attn\.(masked_)?bias$/,
  };
}

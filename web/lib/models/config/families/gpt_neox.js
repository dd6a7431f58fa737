// GPT-NeoX and Pythia (Black et al., 2022): parallel attention and feed-forward, partial rotary positions; query,
// key and value fused in one matrix, grouped by head.
import { causalHeads } from '../head_types.js';
import { rotaryOf } from '../rotary_frequencies.js';

export function gptNeox(c) {
  const width = c.integer('hidden_size');
  const heads = c.integer('num_attention_heads');
  const fraction = c.number('rotary_pct', 0.25);
  const layers = c.layers('num_hidden_layers');
  const { rotary, optionsOf, maxLength } = rotaryOf(c, layers, { keyDim: width / heads, fraction });
  const fused = (index) => ({ fused: 'attention.query_key_value', index, of: 3, groups: heads });
  return {
    prefix: 'gpt_neox.',
    vocabulary: c.integer('vocab_size'),
    self: {
      causal: true,
      layers,
      width,
      heads,
      feedForwardWidth: c.integer('intermediate_size'),
      maxLength,
      embed: { words: 'embed_in' },
      layerPrefix: 'layers.#.',
      weightNames: {
        selfNorm: 'input_layernorm',
        'self.query': fused(0),
        'self.key': fused(1),
        'self.value': fused(2),
        'self.output': 'attention.dense',
        feedForwardNorm: 'post_attention_layernorm',
        widen: 'mlp.dense_h_to_4h',
        narrow: 'mlp.dense_4h_to_h',
      },
      withoutBias: c.flag('attention_bias', true)
        ? []
        : ['self.query', 'self.key', 'self.value', 'self.output'],
      norm: 'final_layer_norm',
      options: {
        normFirst: true,
        parallel: c.flag('use_parallel_residual', true),
        activation: c.activation('hidden_act', 'gelu'),
        epsilon: c.positive('layer_norm_eps', 1e-5),
        rotary,
      },
      optionsOf,
    },
    heads: causalHeads(c, { words: 'embed_out|lm_head' }),
    ignored: /(^|\.)attention\.(masked_)?bias$/,
  };
}

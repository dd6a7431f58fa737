// GPT-NeoX and Pythia (Black et al., 2022): attention and feed-forward side by side, a part of each head is turned;
// query, key and value of each head stand together in one matrix.
import { causalHeads } from '../heads.js';
import { rotaryOf } from '../rotary_frequencies.js';

export function gptNeox(c) {
  const width = c.whole('hidden_size');
  const heads = c.whole('num_attention_heads');
  const share = c.number('rotary_pct', 0.25);
  const { rotary, longest } = rotaryOf(c, { keyDim: width / heads, share });
  const fused = (part) => ({ fused: 'attention.query_key_value', part, of: 3, ofEachHead: true });
  return {
    prefix: 'gpt_neox.',
    vocabulary: c.whole('vocab_size'),
    self: {
      causal: true,
      layers: c.layers('num_hidden_layers'),
      width,
      heads,
      inner: c.whole('intermediate_size'),
      longest,
      embed: { words: 'embed_in' },
      at: 'layers.#.',
      parts: {
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
        epsilon: c.number('layer_norm_eps', 1e-5),
        rotary,
      },
    },
    heads: causalHeads(c, { words: 'embed_out|lm_head' }),
    ignored: /(^|\.)attention\.(masked_)?bias$/,
  };
}

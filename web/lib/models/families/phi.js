// Phi-1, 1.5 and 2 (Li et al., 2023): attention and feed-forward side by side behind one norm, half of each head or
// so is turned; biases everywhere, in the head too.
import { causalHeads } from '../heads.js';
import { rotaryOf } from '../rotary_frequencies.js';

export function phi(c) {
  const width = c.whole('hidden_size');
  const heads = c.whole('num_attention_heads');
  c.require('qk_layernorm', false);
  const share = c.number('partial_rotary_factor', 0.5);
  const { rotary, longest } = rotaryOf(c, { keyDim: width / heads, share });
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    self: {
      causal: true,
      layers: c.layers('num_hidden_layers'),
      width,
      heads,
      kvHeads: c.whole('num_key_value_heads', heads),
      inner: c.whole('intermediate_size'),
      longest,
      embed: { words: 'embed_tokens' },
      at: 'layers.#.',
      parts: {
        selfNorm: 'input_layernorm',
        'self.query': 'self_attn.q_proj',
        'self.key': 'self_attn.k_proj',
        'self.value': 'self_attn.v_proj',
        'self.output': 'self_attn.dense',
        widen: 'mlp.fc1',
        narrow: 'mlp.fc2',
      },
      norm: 'final_layernorm',
      options: {
        normFirst: true,
        parallel: true,
        activation: c.activation('hidden_act', 'gelu_new'),
        epsilon: c.number('layer_norm_eps', 1e-5),
        rotary,
      },
    },
    heads: causalHeads(c, { bias: 'lm_head.bias' }),
  };
}

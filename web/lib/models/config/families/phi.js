// Phi-1, 1.5 and 2 (Li et al., 2023): parallel attention and feed-forward after one norm, partial rotary positions;
// biases everywhere, also in the language-modeling head.
import { rotaryOf } from '../rotary_frequencies.js';
import { decoderModel } from './llama.js';

export function phi(c) {
  const width = c.integer('hidden_size');
  const heads = c.integer('num_attention_heads');
  c.require('qk_layernorm', false);
  const fraction = c.number('partial_rotary_factor', 0.5);
  const layers = c.layers('num_hidden_layers');
  const { rotary, optionsOf, maxLength } = rotaryOf(c, layers, { keyDim: width / heads, fraction });
  return decoderModel(c, {
    causal: true,
    layers,
    width,
    heads,
    kvHeads: c.integer('num_key_value_heads', heads),
    feedForwardWidth: c.integer('intermediate_size'),
    maxLength,
    embed: { words: 'embed_tokens' },
    layerPrefix: 'layers.#.',
    weightNames: {
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
      epsilon: c.positive('layer_norm_eps', 1e-5),
      rotary,
    },
    optionsOf,
  });
}

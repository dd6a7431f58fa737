// GPT-J (Wang & Komatsuzaki, 2021): parallel attention and feed-forward after one norm; rotary positions of adjacent pairs.
import { causalHeads } from '../head_types.js';
import { rotaryOf } from '../rotary_frequencies.js';

/** The decoder of GPT-J and CodeGen. weightNames: of query, key and value. */
export function gptjStack(c, weightNames) {
  const width = c.integer('n_embd|hidden_size');
  const heads = c.integer('n_head|num_attention_heads');
  const layers = c.layers('n_layer|num_hidden_layers');
  const keyDim = width / heads;
  const { rotary } = rotaryOf(c, layers, { keyDim, dim: c.integer('rotary_dim', 64) });
  return {
    causal: true,
    ...{ layers, width, heads },
    feedForwardWidth: c.integer('n_inner', 4 * width),
    maxLength: c.integer('n_positions|n_ctx', 2048),
    embed: { words: 'wte' },
    layerPrefix: 'h.#.',
    weightNames: {
      selfNorm: 'ln_1',
      ...weightNames,
      'self.output': 'attn.out_proj',
      widen: 'mlp.fc_in',
      narrow: 'mlp.fc_out',
    },
    withoutBias: ['self.query', 'self.key', 'self.value', 'self.output'],
    norm: 'ln_f',
    options: {
      normFirst: true,
      parallel: true,
      activation: c.activation('activation_function', 'gelu_new'),
      epsilon: c.positive('layer_norm_epsilon', 1e-5),
      rotary: { ...rotary, interleaved: true },
    },
  };
}

export function gptj(c) {
  return {
    prefix: 'transformer.',
    vocabulary: c.integer('vocab_size'),
    self: gptjStack(c, {
      'self.query': 'attn.q_proj',
      'self.key': 'attn.k_proj',
      'self.value': 'attn.v_proj',
    }),
    heads: causalHeads(c),
    ignored: /(^|\.)attn\.(masked_)?bias$/,
    ignoredFields: ['rotary', 'scale_attn_weights'],
  };
}

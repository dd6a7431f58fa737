// Llama (Touvron et al., 2023), also TinyLlama and SmolLM: RMS norms, rotary positions, gated feed-forward,
// grouped-query attention.
import { causalHeads } from '../head_types.js';
import { rotaryOf } from '../rotary_frequencies.js';

export const attention = ['self.query', 'self.key', 'self.value', 'self.output'];
export const feedForward = ['gate', 'widen', 'narrow'];

/** Weights of queries and keys that have norms of their own. */
export const queryAndKeyNorms = {
  'self.queryNorm': 'self_attn.q_norm',
  'self.keyNorm': 'self_attn.k_norm',
};

/** The weights of attention, unless the config gives them biases. */
export const attentionWithoutBias = (c) => (c.flag('attention_bias', false) ? [] : attention);

/**
 * The decoder of Llama and its relatives. withoutBias: weights that have no bias; keyDim, fraction, base, tied: defaults
 * of head_dim, partial_rotary_factor, rope_theta and tie_word_embeddings; activation: its field and default; rotaryTypes:
 * { thetas, typeOf } of rotaryOf().
 */
export function llamaStack(c, how) {
  const { withoutBias, keyDim: defaultKeyDim, fraction = 1, tied = false } = how;
  const { base, rotaryTypes, activation = ['hidden_act', 'silu'] } = how;
  const width = c.integer('hidden_size');
  const heads = c.integer('num_attention_heads');
  const keyDim = c.integer('head_dim', defaultKeyDim ?? width / heads);
  const layers = c.layers('num_hidden_layers');
  const { rotary, optionsOf, maxLength } = rotaryOf(c, layers, {
    keyDim,
    fraction: c.number('partial_rotary_factor', fraction),
    base,
    ...rotaryTypes,
  });
  return {
    causal: true,
    layers,
    width,
    heads,
    kvHeads: c.integer('num_key_value_heads', heads),
    keyDim,
    feedForwardWidth: c.integer('intermediate_size'),
    maxLength,
    embed: {
      words: c.flag('tie_word_embeddings', tied) ? 'embed_tokens|lm_head' : 'embed_tokens',
    },
    layerPrefix: 'layers.#.',
    weightNames: {
      selfNorm: 'input_layernorm',
      'self.query': 'self_attn.q_proj',
      'self.key': 'self_attn.k_proj',
      'self.value': 'self_attn.v_proj',
      'self.output': 'self_attn.o_proj',
      feedForwardNorm: 'post_attention_layernorm',
      gate: 'mlp.gate_proj',
      widen: 'mlp.up_proj',
      narrow: 'mlp.down_proj',
    },
    withoutBias,
    norm: 'norm',
    options: {
      normFirst: true,
      norm: 'rms',
      activation: c.activation(...activation),
      epsilon: c.positive('rms_norm_eps', 1e-6),
      rotary,
    },
    optionsOf,
  };
}

/**
 * A decoder alone, with the names of Llama: its stack, and what else differs from Llama's.
 *
 * @param {import('../config_fields.js').ConfigFields} c
 * @param {object} self
 * @param {{ heads?: object[], ignoredFields?: string[] }} [more]
 */
export const decoderModel = (c, self, more) => ({
  prefix: 'model.',
  vocabulary: c.integer('vocab_size'),
  self,
  heads: causalHeads(c),
  ...more,
});

/** defaults: tied and base of llamaStack(). */
export function llama(c, defaults) {
  c.require('rope_interleaved', false);
  const withoutBias = [
    ...attentionWithoutBias(c),
    ...(c.flag('mlp_bias', false) ? [] : feedForward),
  ];
  const self = llamaStack(c, { withoutBias, ...defaults });
  return { ...decoderModel(c, self), ignoredFields: ['is_llama_config'] };
}

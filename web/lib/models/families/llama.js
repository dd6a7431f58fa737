// Llama (Touvron et al., 2023), also TinyLlama and SmolLM: root-mean-square norms, rotary positions, gated
// feed-forward, heads that share keys and values.
import { causalHeads } from '../heads.js';
import { rotaryOf } from '../rotary_frequencies.js';

const attention = ['self.query', 'self.key', 'self.value', 'self.output'];
const feedForward = ['gate', 'widen', 'narrow'];

/** What Llama, Mistral and Qwen have in common; withoutBias: parts. */
export function llamaStack(c, { withoutBias, keyDim: usual }) {
  const width = c.whole('hidden_size');
  const heads = c.whole('num_attention_heads');
  const keyDim = c.whole('head_dim', usual ?? width / heads);
  const { rotary, longest } = rotaryOf(c, { keyDim, share: c.number('partial_rotary_factor', 1) });
  return {
    causal: true,
    layers: c.layers('num_hidden_layers'),
    width,
    heads,
    kvHeads: c.whole('num_key_value_heads', heads),
    keyDim,
    inner: c.whole('intermediate_size'),
    longest,
    embed: {
      words: c.flag('tie_word_embeddings', false) ? 'embed_tokens|lm_head' : 'embed_tokens',
    },
    at: 'layers.#.',
    parts: {
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
      activation: c.activation('hidden_act', 'silu'),
      epsilon: c.number('rms_norm_eps', 1e-6),
      rotary,
    },
  };
}

export function llama(c) {
  const withoutBias = [
    ...(c.flag('attention_bias', false) ? [] : attention),
    ...(c.flag('mlp_bias', false) ? [] : feedForward),
  ];
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    self: llamaStack(c, { withoutBias }),
    heads: causalHeads(c),
  };
}

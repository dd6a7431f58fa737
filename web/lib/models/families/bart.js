// BART (Lewis et al., 2019): post-norm encoder and decoder, learned positions that count from 2.
import { sequenceHeads } from '../heads.js';

const parts = {
  'self.query': 'self_attn.q_proj',
  'self.key': 'self_attn.k_proj',
  'self.value': 'self_attn.v_proj',
  'self.output': 'self_attn.out_proj',
  selfNorm: 'self_attn_layer_norm',
  widen: 'fc1',
  narrow: 'fc2',
  feedForwardNorm: 'final_layer_norm',
};
const crossParts = {
  'cross.query': 'encoder_attn.q_proj',
  'cross.key': 'encoder_attn.k_proj',
  'cross.value': 'encoder_attn.v_proj',
  'cross.output': 'encoder_attn.out_proj',
  crossNorm: 'encoder_attn_layer_norm',
};

/** Positions from a table that was learnt, of which the first two rows belong to no place. */
export const learned = (c) => (side) => ({
  name: `${side}.embed_positions`,
  count: c.whole('max_position_embeddings') + 2,
  from: 2,
});

/**
 * What BART, mBART, Marian, Pegasus and M2M-100 have in common: an encoder and a decoder of layers with these names.
 *
 * @param {{ positions: (side: string) => object, normFirst?: boolean, embedNorm?: boolean, separate?: boolean }} how
 *   separate: the decoder has words of its own
 */
export function bartStacks(
  c,
  { positions, normFirst = false, embedNorm = false, separate = false },
) {
  const width = c.whole('d_model|hidden_size');
  const words = ['shared', 'encoder.embed_tokens', 'decoder.embed_tokens', 'lm_head'];
  const ownWords = (side) => `${side}.embed_tokens${side === 'decoder' ? '|lm_head' : ''}`;
  const scale = c.flag('scale_embedding', false) ? Math.sqrt(width) : 1;
  const stack = (side) => ({
    layers: c.layers(`${side}_layers|num_hidden_layers`),
    width,
    heads: c.whole(`${side}_attention_heads`),
    inner: c.whole(`${side}_ffn_dim`),
    embed: {
      words: separate ? ownWords(side) : words.join('|'),
      scale,
      positions: positions(side),
      ...(embedNorm && { norm: `${side}.layernorm_embedding` }),
    },
    at: `${side}.layers.#.`,
    parts: side === 'decoder' ? { ...parts, ...crossParts } : parts,
    ...(normFirst && { norm: `${side}.layer_norm` }),
    options: { normFirst, activation: c.activation('activation_function', 'gelu') },
  });
  return { encoder: stack('encoder'), decoder: { causal: true, ...stack('decoder') } };
}

export function bart(c) {
  const normFirst = c.flag('normalize_before', false);
  const stacks = bartStacks(c, {
    positions: learned(c),
    normFirst,
    embedNorm: c.flag('normalize_embedding', true),
  });
  if (c.flag('add_final_layer_norm', normFirst) !== normFirst) {
    throw new RangeError(
      "'add_final_layer_norm' of config.json differs from 'normalize_before': such a model is not built",
    );
  }
  return {
    prefix: 'model.',
    vocabulary: c.whole('vocab_size'),
    ...stacks,
    heads: sequenceHeads(c, { bias: 'final_logits_bias' }),
  };
}

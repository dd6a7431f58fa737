// BART (Lewis et al., 2019): post-norm encoder and decoder, learned positions that start at 2.
import { encoderDecoderHeads } from '../head_types.js';

const weightNames = {
  'self.query': 'self_attn.q_proj',
  'self.key': 'self_attn.k_proj',
  'self.value': 'self_attn.v_proj',
  'self.output': 'self_attn.out_proj',
  selfNorm: 'self_attn_layer_norm',
  widen: 'fc1',
  narrow: 'fc2',
  feedForwardNorm: 'final_layer_norm',
};
const crossWeightNames = {
  'cross.query': 'encoder_attn.q_proj',
  'cross.key': 'encoder_attn.k_proj',
  'cross.value': 'encoder_attn.v_proj',
  'cross.output': 'encoder_attn.out_proj',
  crossNorm: 'encoder_attn_layer_norm',
};

// A file may have the shared table under any of its names; tables of other bytes are each side's own.
export const sharedWords = {
  encoder: 'encoder.embed_tokens|shared|decoder.embed_tokens|lm_head',
  decoder: 'decoder.embed_tokens|shared|encoder.embed_tokens|lm_head',
};
const separateWords = { encoder: 'encoder.embed_tokens', decoder: 'decoder.embed_tokens|lm_head' };

/** Learned positions; the first two rows of the table are unused. */
export const learned = (c) => (side) => ({
  name: `${side}.embed_positions`,
  count: c.integer('max_position_embeddings') + 2,
  from: 2,
});

/**
 * Encoder and decoder of BART, mBART, Marian, Pegasus and M2M-100.
 *
 * @param {import('../config_fields.js').ConfigFields} c
 * @param {{ positions: (side: string) => object, normFirst?: boolean, embedNorm?: boolean, separate?: boolean }} options
 *   separate: encoder and decoder have separate token embeddings
 */
export function bartStacks(
  c,
  { positions, normFirst = false, embedNorm = false, separate = false },
) {
  const width = c.integer('d_model|hidden_size');
  const scale = c.flag('scale_embedding', false) ? Math.sqrt(width) : 1;
  const stack = (side) => ({
    layers: c.layers(`${side}_layers|num_hidden_layers`),
    width,
    heads: c.integer(`${side}_attention_heads`),
    feedForwardWidth: c.integer(`${side}_ffn_dim`),
    embed: {
      words: separate ? separateWords[side] : sharedWords[side],
      scale,
      positions: positions(side),
      ...(embedNorm && { norm: `${side}.layernorm_embedding` }),
    },
    layerPrefix: `${side}.layers.#.`,
    weightNames: side === 'decoder' ? { ...weightNames, ...crossWeightNames } : weightNames,
    ...(normFirst && { norm: `${side}.layer_norm` }),
    options: { normFirst, activation: c.activation('activation_function', 'gelu') },
  });
  return { encoder: stack('encoder'), decoder: { causal: true, ...stack('decoder') } };
}

// Written by old versions, whatever the architecture computes.
export const oldNormFields = [
  ...['normalize_before', 'normalize_embedding', 'add_final_layer_norm', 'add_bias_logits'],
];

export function bart(c) {
  const normFirst = c.flag('normalize_before', false);
  const stacks = bartStacks(c, {
    positions: learned(c),
    normFirst,
    embedNorm: c.flag('normalize_embedding', true),
  });
  if (c.flag('add_final_layer_norm', normFirst) !== normFirst) {
    throw new RangeError(
      "'add_final_layer_norm' of config.json differs from 'normalize_before', which is not supported",
    );
  }
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    ...stacks,
    heads: encoderDecoderHeads(c, { bias: 'final_logits_bias' }),
    ignoredFields: ['add_bias_logits'],
  };
}

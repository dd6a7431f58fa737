// MPT (MosaicML, 2023): ALiBi, no biases, layer norms without bias; query, key and value fused in one matrix.
import { mptSlopes } from '../alibi_slopes.js';
import { causalHeads } from '../head_types.js';

const matrices = ['self.query', 'self.key', 'self.value', 'self.output', 'widen', 'narrow'];

export function mpt(c) {
  const width = c.integer('d_model');
  const heads = c.integer('n_heads');
  c.require('no_bias', true);
  c.require('norm_type', 'low_precision_layernorm');
  const attention = c.nested('attn_config');
  attention?.require('alibi', true);
  attention?.require('qk_ln', false);
  attention?.require('clip_qkv', null);
  attention?.require('attn_type', 'multihead_attention');
  attention?.require('prefix_lm', false);
  const scale = attention?.number('softmax_scale', 0) || Math.sqrt(heads / width);
  const maxBias = attention?.number('alibi_bias_max', 8) ?? 8;
  const fused = (index) => ({ fused: 'attn.Wqkv', index, of: 3 });
  return {
    prefix: 'transformer.',
    vocabulary: c.integer('vocab_size'),
    self: {
      causal: true,
      layers: c.layers('n_layers'),
      ...{ width, heads, feedForwardWidth: width * c.integer('expansion_ratio', 4) },
      embed: { words: 'wte' },
      layerPrefix: 'blocks.#.',
      weightNames: {
        selfNorm: 'norm_1',
        'self.query': fused(0),
        'self.key': fused(1),
        'self.value': fused(2),
        'self.output': 'attn.out_proj',
        feedForwardNorm: 'norm_2',
        widen: 'ffn.up_proj',
        narrow: 'ffn.down_proj',
      },
      withoutBias: [...matrices, 'selfNorm', 'feedForwardNorm', 'norm'],
      norm: 'norm_f',
      scoresOf: () => ({ slopes: mptSlopes(heads, maxBias) }),
      options: {
        normFirst: true,
        activation: 'gelu',
        epsilon: c.positive('layer_norm_epsilon', 1e-5),
        scale,
      },
    },
    heads: causalHeads(c),
    ignoredFields: [
      ...['max_seq_len', 'logit_scale', 'learned_pos_emb', 'verbose', 'embedding_fraction'],
      ...['attn_impl', 'attn_uses_sequence_id', 'attn_pdrop', 'init_config', 'init_device'],
      ...['is_hf_config', 'ffn_config'],
    ],
  };
}

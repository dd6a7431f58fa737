// OPT (Zhang et al., 2022): learned positions that start at 2, ReLU; norms before the sublayers or, in the model of 350 M
// parameters, after them, where embeddings are projected to the model width and back.
import { causalHeads } from '../head_types.js';

export function opt(c) {
  const width = c.integer('hidden_size');
  const embedWidth = c.integer('word_embed_proj_dim', width);
  const normFirst = c.flag('do_layer_norm_before', true);
  const hasFinalNorm = normFirst && !c.flag('_remove_final_layer_norm', false);
  const matrices = ['self.query', 'self.key', 'self.value', 'self.output', 'widen', 'narrow'];
  c.require('layer_norm_elementwise_affine', true);
  const isProjected = embedWidth !== width;
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: {
      causal: true,
      layers: c.layers('num_hidden_layers'),
      width,
      heads: c.integer('num_attention_heads'),
      feedForwardWidth: c.integer('ffn_dim'),
      embed: {
        words: 'decoder.embed_tokens',
        positions: {
          ...{ name: 'decoder.embed_positions', from: 2 },
          count: c.integer('max_position_embeddings') + 2,
        },
        ...(isProjected && {
          ...{ width: embedWidth, project: 'decoder.project_in', projectsFirst: true },
        }),
      },
      layerPrefix: 'decoder.layers.#.',
      weightNames: {
        selfNorm: 'self_attn_layer_norm',
        'self.query': 'self_attn.q_proj',
        'self.key': 'self_attn.k_proj',
        'self.value': 'self_attn.v_proj',
        'self.output': 'self_attn.out_proj',
        feedForwardNorm: 'final_layer_norm',
        widen: 'fc1',
        narrow: 'fc2',
      },
      withoutBias: c.flag('enable_bias', true) ? [] : matrices,
      ...(isProjected && { projectOut: { name: 'decoder.project_out', rows: embedWidth } }),
      ...(hasFinalNorm && { norm: 'decoder.final_layer_norm' }),
      options: { normFirst, activation: c.activation('activation_function', 'relu') },
    },
    heads: causalHeads(c),
  };
}

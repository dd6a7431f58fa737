// DINOv2 (Oquab et al., 2023): ViT with layer scale, a gated feed-forward in the largest model, and a classifier of
// the class token concatenated with the mean of the patches.
import { imageClassifier } from '../head_types.js';
import { patchesOf } from './vit.js';

export function dinov2(c) {
  const width = c.integer('hidden_size');
  const wide = Math.trunc(width * c.number('mlp_ratio', 4));
  const isGated = c.flag('use_swiglu_ffn', false);
  const gated = {
    gate: { fused: 'mlp.weights_in', index: 0, of: 2 },
    widen: { fused: 'mlp.weights_in', index: 1, of: 2 },
    narrow: 'mlp.weights_out',
  };
  return {
    prefix: 'dinov2.',
    self: {
      layers: c.layers('num_hidden_layers'),
      width,
      heads: c.integer('num_attention_heads'),
      feedForwardWidth: isGated ? Math.floor((Math.trunc((wide * 2) / 3) + 7) / 8) * 8 : wide,
      patches: patchesOf(c),
      layerPrefix: 'encoder.layer.#.|layers.#.|layer.#.',
      weightNames: {
        selfNorm: 'norm1',
        'self.query': 'attention.attention.query|attention.q_proj',
        'self.key': 'attention.attention.key|attention.k_proj',
        'self.value': 'attention.attention.value|attention.v_proj',
        'self.output': 'attention.output.dense|attention.o_proj',
        selfScale: 'layer_scale1.lambda1',
        feedForwardNorm: 'norm2',
        ...(isGated ? gated : { widen: 'mlp.fc1', narrow: 'mlp.fc2' }),
        feedForwardScale: 'layer_scale2.lambda1',
      },
      withoutBias: c.flag('qkv_bias', true) ? [] : ['self.query', 'self.key', 'self.value'],
      norm: 'layernorm',
      options: {
        normFirst: true,
        activation: isGated ? 'silu' : c.activation('hidden_act', 'gelu'),
        epsilon: c.positive('layer_norm_eps', 1e-6),
      },
    },
    pooled: 'first',
    heads: imageClassifier('first and mean'),
    ignoredFields: [
      ...['layerscale_value', 'use_mask_token'], // of training
      ...['apply_layernorm', 'reshape_hidden_states', 'out_features', 'out_indices', 'stage_names'],
    ],
  };
}

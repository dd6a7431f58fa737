// DINOv2 (Oquab et al., 2023): ViT with a scale on what each part adds, gated feed-forward in the largest, and
// classes from the first token beside the mean of the others.
import { imageClassifier } from '../heads.js';
import { patchesOf } from './vit.js';

export function dinov2(c) {
  const width = c.whole('hidden_size');
  const wide = Math.trunc(width * c.number('mlp_ratio', 4));
  const isGated = c.flag('use_swiglu_ffn', false);
  const gated = {
    gate: { fused: 'mlp.weights_in', part: 0, of: 2 },
    widen: { fused: 'mlp.weights_in', part: 1, of: 2 },
    narrow: 'mlp.weights_out',
  };
  return {
    prefix: 'dinov2.',
    self: {
      layers: c.layers('num_hidden_layers'),
      width,
      heads: c.whole('num_attention_heads'),
      inner: isGated ? Math.floor((Math.trunc((wide * 2) / 3) + 7) / 8) * 8 : wide,
      patches: patchesOf(c),
      at: 'encoder.layer.#.|layers.#.|layer.#.',
      parts: {
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
        epsilon: c.number('layer_norm_eps', 1e-6),
      },
    },
    pooled: 'first',
    heads: imageClassifier('first and mean'),
  };
}

// ViT (Dosovitskiy et al., 2020): image patches are the tokens, after a class token; pre-norm encoder. Supports the
// tensor names before and since transformers 5.
import { imageClassifier } from '../head_types.js';

export function vit(c) {
  const act = c.activation('pooler_act', 'tanh', true);
  return {
    prefix: 'vit.',
    self: {
      layers: c.layers('num_hidden_layers'),
      width: c.integer('hidden_size'),
      heads: c.integer('num_attention_heads'),
      feedForwardWidth: c.integer('intermediate_size'),
      patches: patchesOf(c),
      layerPrefix: 'encoder.layer.#.|layers.#.',
      weightNames: {
        selfNorm: 'layernorm_before',
        'self.query': 'attention.attention.query|attention.q_proj',
        'self.key': 'attention.attention.key|attention.k_proj',
        'self.value': 'attention.attention.value|attention.v_proj',
        'self.output': 'attention.output.dense|attention.o_proj',
        feedForwardNorm: 'layernorm_after',
        widen: 'intermediate.dense|mlp.fc1',
        narrow: 'output.dense|mlp.fc2',
      },
      withoutBias: c.flag('qkv_bias', true) ? [] : ['self.query', 'self.key', 'self.value'],
      norm: 'layernorm',
      options: {
        normFirst: true,
        activation: c.activation('hidden_act', 'gelu'),
        epsilon: c.positive('layer_norm_eps', 1e-12),
      },
    },
    pooler: {
      name: 'pooler.dense',
      activation: act,
      rows: c.integer('pooler_output_size', c.integer('hidden_size')),
    },
    heads: imageClassifier('first'),
    ignoredFields: ['encoder_stride'],
  };
}

/** The plan of the patch embedding. Sizes are [height, width]. */
export function patchesOf(c) {
  const image = c.sides('image_size', 224);
  const patch = c.sides('patch_size', 16);
  if (patch.some((side, axis) => side > image[axis])) {
    throw new RangeError(
      `'patch_size' of config.json is ${patch.join('×')}, larger than 'image_size', ${image.join('×')}`,
    );
  }
  return {
    ...{ image, patch },
    channels: c.integer('num_channels', 3),
    first: 'embeddings.cls_token',
    positions: 'embeddings.position_embeddings',
    projection: 'embeddings.patch_embeddings.projection',
  };
}

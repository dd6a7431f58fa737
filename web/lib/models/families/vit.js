// ViT (Dosovitskiy et al., 2020): image patches are the tokens, after a class token; pre-norm encoder. Supports the
// tensor names before and since transformers 5.
import { activationNames } from '../../layers/activation_names.js';
import { imageClassifier } from '../head_types.js';

export function vit(c) {
  const act = c.activation('pooler_act', 'tanh', [...activationNames, 'tanh']);
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
        epsilon: c.number('layer_norm_eps', 1e-12),
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
  const size = (name, otherwise) => {
    const value = c.get(name) ?? otherwise;
    const sides = Array.isArray(value) ? value : [value, value];
    if (sides.length === 2 && sides.every((side) => Number.isInteger(side) && side > 0))
      return sides;
    throw new RangeError(`'${name}' of config.json must be a whole number or [height, width]`);
  };
  return {
    image: size('image_size', 224),
    patch: size('patch_size', 16),
    channels: c.integer('num_channels', 3),
    first: 'embeddings.cls_token',
    positions: 'embeddings.position_embeddings',
    projection: 'embeddings.patch_embeddings.projection',
  };
}

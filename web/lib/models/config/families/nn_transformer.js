// nn.Transformer of PyTorch (Vaswani et al., 2017): config fields are its constructor's arguments, tensor names those of
// its state dict. One embedding table serves encoder, decoder and logits; positions alternate sines and cosines.
import { encoderDecoderHeads } from '../head_types.js';

const fused = (name, index) => ({ fused: `${name}.in_proj`, index, of: 3 });

const attention = (at, name) => ({
  [`${at}.query`]: fused(name, 0),
  [`${at}.key`]: fused(name, 1),
  [`${at}.value`]: fused(name, 2),
  [`${at}.output`]: `${name}.out_proj`,
});

export function nnTransformer(c) {
  const width = c.integer('d_model');
  const stack = (side) => ({
    layers: c.layers(side === 'encoder' ? 'num_encoder_layers' : 'num_decoder_layers'),
    width,
    heads: c.integer('nhead'),
    feedForwardWidth: c.integer('dim_feedforward'),
    embed: {
      words: 'embedding',
      scale: Math.sqrt(width),
      positions: { computed: 'interleaved' },
    },
    layerPrefix: `${side}.layers.#.`,
    weightNames: {
      ...attention('self', 'self_attn'),
      selfNorm: 'norm1',
      ...(side === 'decoder' && { ...attention('cross', 'multihead_attn'), crossNorm: 'norm2' }),
      widen: 'linear1',
      narrow: 'linear2',
      feedForwardNorm: side === 'decoder' ? 'norm3' : 'norm2',
    },
    norm: `${side}.norm`,
    options: {
      normFirst: c.flag('norm_first', false),
      activation: c.activation('activation', 'relu'),
      epsilon: c.positive('layer_norm_eps', 1e-5),
    },
  });
  return {
    prefix: 'transformer.',
    vocabulary: c.integer('vocab_size'),
    encoder: stack('encoder'),
    decoder: { causal: true, ...stack('decoder') },
    heads: encoderDecoderHeads(c, {}),
    ignoredFields: ['batch_first'],
  };
}

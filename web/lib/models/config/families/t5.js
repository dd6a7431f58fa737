// T5, v1.1 and Flan (Raffel et al., 2019): relative position biases, learned in the first layer and shared by all; RMS
// norms, no linear biases, unscaled scores.
import { encoderDecoderHeads } from '../head_types.js';
import { sharedWords } from './bart.js';

const feedForwards = {
  relu: { activation: 'relu' },
  gelu: { activation: 'gelu' },
  'gated-gelu': { activation: 'gelu_tanh', gated: true },
  'gated-silu': { activation: 'silu', gated: true },
  'gated-relu': { activation: 'relu', gated: true },
};

function stack(c, side, { activation, gated }) {
  const at = `${side}.block.#.layer.`;
  const last = side === 'decoder' ? 2 : 1;
  const buckets = c.integer('relative_attention_num_buckets', 32);
  return {
    causal: side === 'decoder',
    layers:
      side === 'decoder'
        ? c.layers('num_decoder_layers', c.layers('num_layers'))
        : c.layers('num_layers'),
    width: c.integer('d_model'),
    heads: c.integer('num_heads'),
    keyDim: c.integer('d_kv'),
    feedForwardWidth: c.integer('d_ff'),
    embed: { words: sharedWords[side] },
    layerPrefix: at,
    weightNames: {
      'self.query': '0.SelfAttention.q',
      'self.key': '0.SelfAttention.k',
      'self.value': '0.SelfAttention.v',
      'self.output': '0.SelfAttention.o',
      selfNorm: '0.layer_norm',
      ...(side === 'decoder' && {
        'cross.query': '1.EncDecAttention.q',
        'cross.key': '1.EncDecAttention.k',
        'cross.value': '1.EncDecAttention.v',
        'cross.output': '1.EncDecAttention.o',
        crossNorm: '1.layer_norm',
      }),
      ...(gated && { gate: `${last}.DenseReluDense.wi_0` }),
      widen: `${last}.DenseReluDense.${gated ? 'wi_1' : 'wi'}`,
      narrow: `${last}.DenseReluDense.wo`,
      feedForwardNorm: `${last}.layer_norm`,
    },
    shared: {
      'self.relativeBias': `${side}.block.0.layer.0.SelfAttention.relative_attention_bias`,
    },
    buckets,
    withoutBias: true,
    norm: `${side}.final_layer_norm`,
    options: {
      normFirst: true,
      norm: 'rms',
      activation,
      epsilon: c.positive('layer_norm_epsilon', 1e-6),
      scale: 1,
      relativePositions: {
        maxDistance: c.integer('relative_attention_max_distance', 128),
        bidirectional: side === 'encoder',
      },
    },
  };
}

export function t5(c) {
  const kind = c.require('feed_forward_proj', ...Object.keys(feedForwards));
  // T5 divides the decoder's output by √d_model before the logits; v1.1 does not.
  const isDivided = c.flag('scale_decoder_outputs', c.flag('tie_word_embeddings', true));
  const encoder = stack(c, 'encoder', feedForwards[kind]);
  const isEncoder = c.hasArchitecture(/EncoderModel$/);
  return {
    prefix: 'transformer.',
    vocabulary: c.integer('vocab_size'),
    ...(isEncoder
      ? { self: encoder, heads: [] }
      : {
          encoder,
          decoder: stack(c, 'decoder', feedForwards[kind]),
          heads: encoderDecoderHeads(c, {
            scale: isDivided ? c.integer('d_model') ** -0.5 : 1,
          }),
        }),
    ignoredFields: ['n_positions', 'dense_act_fn', 'is_gated_act'],
    ignored: /^decoder\.block\.0\.layer\.1\.EncDecAttention\.relative_attention_bias\.weight$/,
  };
}

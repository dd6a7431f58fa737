// ModernBERT (Warner et al., 2024): pre-norm encoder with rotary positions, gated feed-forward and norms without bias; windows
// in most layers, which have a rotary base of their own. The first layer has no norm before attention.
import { rotaryOf } from '../rotary_frequencies.js';

const attention = ['self.query', 'self.key', 'self.value', 'self.output'];
const feedForward = ['gate', 'widen', 'narrow'];
const norms = ['selfNorm', 'feedForwardNorm', 'norm'];

const fused = (name, index, of) => ({ fused: name, index, of });

/** Which layers have windows: from layer_types, or all but every third. */
function kindsOf(c, layers) {
  const interval = c.integer('global_attn_every_n_layers', 3);
  const kinds = ['full_attention', 'sliding_attention'];
  const defaults = Array.from({ length: layers }, (_, n) => kinds[n % interval === 0 ? 0 : 1]);
  return c
    .requireEach('layer_types', c.list('layer_types') ?? defaults, layers, kinds)
    .map((kind) => kind === kinds[1]);
}

/** The rotary options of each layer. */
function rotaryByLayer(c, layers, isLocal, keyDim) {
  const global = c.positive('global_rope_theta', 160_000);
  const local = c.positive('local_rope_theta', c.isNull('local_rope_theta') ? global : 10_000);
  const thetas = { full_attention: global, sliding_attention: local };
  const typeOf = (n) => (isLocal[n] ? 'sliding_attention' : 'full_attention');
  const { rotary, optionsOf } = rotaryOf(c, layers, { keyDim, base: global, thetas, typeOf });
  const ofLocal = { rotary: { width: keyDim, theta: local } };
  return { rotary, optionsOf: optionsOf ?? ((n) => (isLocal[n] ? ofLocal : {})) };
}

function headsOf(c, normBias) {
  const activation = c.activation('classifier_activation', 'gelu');
  const before = [
    { linear: 'head.dense', rows: 'same width' },
    activation,
    { norm: 'head.norm', withoutBias: !normBias },
  ];
  const ofTokens = c.hasArchitecture(/(TokenClassification|QuestionAnswering)$/);
  const pooled = c.require('classifier_pooling', 'cls', 'mean') === 'cls' ? 'first' : 'mean';
  return [
    { on: ofTokens ? 'tokens' : pooled, steps: [...before, { linear: 'classifier' }] },
    { on: 'tokens', steps: [...before, { words: 'decoder' }] },
  ];
}

export function modernbert(c) {
  const width = c.integer('hidden_size');
  const heads = c.integer('num_attention_heads');
  const layers = c.layers('num_hidden_layers');
  const isLocal = kindsOf(c, layers);
  const { rotary, optionsOf } = rotaryByLayer(c, layers, isLocal, width / heads);
  const reach = Math.floor(c.integer('local_attention', 128) / 2);
  const normBias = c.flag('norm_bias', false);
  const weightNames = {
    selfNorm: 'attn_norm',
    'self.query': fused('attn.Wqkv', 0, 3),
    'self.key': fused('attn.Wqkv', 1, 3),
    'self.value': fused('attn.Wqkv', 2, 3),
    'self.output': 'attn.Wo',
    feedForwardNorm: 'mlp_norm',
    gate: fused('mlp.Wi', 0, 2),
    widen: fused('mlp.Wi', 1, 2),
    narrow: 'mlp.Wo',
  };
  const { selfNorm: _, ...withoutFirstNorm } = weightNames;
  return {
    prefix: 'model.',
    vocabulary: c.integer('vocab_size'),
    self: {
      ...{ layers, width, heads },
      feedForwardWidth: c.integer('intermediate_size'),
      embed: { words: 'embeddings.tok_embeddings', norm: 'embeddings.norm' },
      layerPrefix: 'layers.#.',
      weightNames,
      weightNamesOf: (n) => (n === 0 ? withoutFirstNorm : weightNames),
      withoutBias: [
        ...(c.flag('attention_bias', false) ? [] : attention),
        ...(c.flag('mlp_bias', false) ? [] : feedForward),
        ...(normBias ? [] : norms),
      ],
      norm: 'final_norm',
      options: {
        normFirst: true,
        activation: c.activation('hidden_activation', 'gelu'),
        epsilon: c.positive('norm_eps', 1e-5),
        rotary,
      },
      optionsOf,
      windowOf: (n) => (isLocal[n] ? [reach, reach] : undefined),
    },
    heads: headsOf(c, normBias),
    // The sizes of biases are those of the tensors.
    ignoredFields: [
      ...['classifier_bias', 'decoder_bias', 'layer_norm_eps', 'position_embedding_type'],
      ...['sparse_prediction', 'sparse_pred_ignore_index', 'reference_compile'],
      ...['repad_logits_with_grad', 'deterministic_flash_attn', 'max_position_embeddings'],
    ],
  };
}

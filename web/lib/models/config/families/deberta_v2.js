// DeBERTa v2 and v3 (He et al., 2020; 2021): BERT with disentangled attention. Queries and keys are compared with the keys
// and queries of relative positions, too, which each layer projects from one table; scores are divided by √(d · terms).
import { maxDistance } from '../config_fields.js';
import { classifiers, maskedLanguageModel } from '../head_types.js';
import { bertWeightNames } from './bert.js';

const { fround, log, ceil, sign, abs } = Math;
const logOf = (x) => fround(log(fround(x)));

/**
 * The bucket of query position minus key position: below half of the buckets the difference itself, then logarithmic up to
 * `farthest`. float32 as in training: float64 could round up other quotients.
 */
export function bucketOf(difference, buckets, farthest) {
  const middle = buckets / 2;
  const away = abs(difference);
  if (away <= middle) return difference;
  const quotient = fround(logOf(away / middle) / logOf((farthest - 1) / middle));
  return sign(difference) * (ceil(fround(quotient * (middle - 1))) + middle);
}

/** Terms of the scores: 'c2p' (contents and positions), 'p2c' (positions and contents), from a list or 'c2p|p2c'. */
function termsOf(c) {
  if (!c.flag('relative_attention', false)) return [];
  const value = c.get('pos_att_type') ?? [];
  const terms = typeof value === 'string' ? value.toLowerCase().split('|') : value;
  const known = ['c2p', 'p2c', 'none', ''];
  if (Array.isArray(terms) && terms.every((term) => known.includes(term))) {
    return terms.filter((term) => term.endsWith('c') || term.endsWith('p'));
  }
  return c.require('pos_att_type', ...known);
}

/** Distances of key minus query position, in rows of the table. */
function positionBuckets(buckets, farthest) {
  const half = buckets ?? farthest;
  return Array.from({ length: 2 * farthest + 1 }, (_, at) => {
    const difference = farthest - at;
    const bucket = buckets ? bucketOf(difference, buckets, farthest) : difference;
    return Math.min(Math.max(bucket + half, 0), 2 * half - 1);
  });
}

/** The relative positions of a stack, or undefined: where layers have position vectors from, and their buckets. */
function relativePositions(c, terms) {
  // -1 stands for none.
  const present = (name) => (c.get(name) === -1 ? undefined : c.get(name));
  const buckets = present('position_buckets') && c.integer('position_buckets', 0, 2);
  const hasFarthest = present('max_relative_positions') !== undefined;
  const norm = c.require('norm_rel_ebd', 'none', 'layer_norm');
  if (terms.length === 0) return undefined;
  const farthestField = hasFarthest ? 'max_relative_positions' : 'max_position_embeddings';
  const farthest = c.integer(farthestField, undefined, 1, maxDistance);
  if (buckets && (buckets % 2 !== 0 || farthest - 1 <= buckets / 2)) {
    throw new RangeError(
      `'position_buckets' of config.json is ${buckets}: it must be even, and half of it below max_relative_positions - 1 = ${farthest - 1}`,
    );
  }
  const isShared = c.flag('share_att_key', false);
  return {
    table: 'encoder.rel_embeddings',
    rows: 2 * (buckets ?? farthest),
    norm: norm === 'layer_norm' ? 'encoder.LayerNorm' : undefined,
    ...(terms.includes('c2p') && { key: isShared ? 'self.key' : 'attention.self.pos_key_proj' }),
    ...(terms.includes('p2c') && {
      query: isShared ? 'self.query' : 'attention.self.pos_query_proj',
    }),
    isShared,
    bucketsOf: () => positionBuckets(buckets, farthest),
  };
}

/** Hook points of the terms. */
const places = { c2p: 'content_position', p2c: 'position_content' };

/** The head of masked language modeling has other names in files of Microsoft, and with `legacy: false`. */
function headsOf(c) {
  const activation = c.activation('hidden_act', 'gelu');
  const before = (at) => ({ dense: `${at}dense`, activation, norm: `${at}LayerNorm` });
  const own = 'lm_predictions.lm_head.';
  return [
    maskedLanguageModel({
      ...before('cls.predictions.transform.'),
      ...{ words: 'cls.predictions.decoder', bias: 'cls.predictions.bias' },
    }),
    maskedLanguageModel({
      ...before(own),
      ...{ words: 'lm_predictions.decoder', bias: `${own}bias` },
    }),
    ...classifiers(c, { on: 'pooled', steps: [{ linear: 'classifier' }] }),
  ];
}

function embeddings(c) {
  const at = 'embeddings';
  const types = c.integer('type_vocab_size', 0, 0);
  // A table of positions limits texts only where it is added to the tokens.
  const count = c.integer('max_position_embeddings', 512);
  return {
    words: `${at}.word_embeddings`,
    ...(c.flag('position_biased_input', true) && {
      positions: { name: `${at}.position_embeddings`, count },
    }),
    ...(types > 0 && { types: { name: `${at}.token_type_embeddings`, count: types } }),
    norm: `${at}.LayerNorm`,
  };
}

export function debertaV2(c) {
  const width = c.integer('hidden_size');
  const heads = c.integer('num_attention_heads');
  const keyDim = c.integer('attention_head_size', width / heads);
  c.require('embedding_size', width);
  c.require('conv_kernel_size', 0);
  c.require('z_steps', 0);
  c.require('is_decoder', false);
  const terms = termsOf(c);
  return {
    prefix: 'deberta.',
    vocabulary: c.integer('vocab_size'),
    self: {
      layers: c.layers('num_hidden_layers'),
      ...{ width, heads, keyDim, feedForwardWidth: c.integer('intermediate_size') },
      embed: embeddings(c),
      layerPrefix: 'encoder.layer.#.',
      weightNames: {
        ...bertWeightNames,
        'self.query': 'attention.self.query_proj',
        'self.key': 'attention.self.key_proj',
        'self.value': 'attention.self.value_proj',
      },
      relativePositions: relativePositions(c, terms),
      terms: terms.length === 0 ? [] : ['content_content', ...terms.map((term) => places[term])],
      options: {
        activation: c.activation('hidden_act', 'gelu'),
        epsilon: c.positive('layer_norm_eps', 1e-7),
        scale: 1 / Math.sqrt(keyDim * (1 + terms.length)),
      },
    },
    pooler: { name: 'pooler.dense', activation: c.activation('pooler_hidden_act', 'gelu') },
    heads: headsOf(c),
    ignored: /^(cls|lm_predictions|mask_predictions)\./,
    ignoredFields: ['pooler_hidden_size', 'legacy', 'padding_idx', 'conv_act'],
  };
}

// Falcon (Almazrouei et al., 2023): query, key and value in one matrix, with one key/value head (7B), groups of heads (40B)
// or as many as query heads; parallel attention and feed-forward; rotary positions or ALiBi.
import { alibiSlopes } from '../alibi_slopes.js';
import { causalHeads } from '../head_types.js';
import { rotaryOf } from '../rotary_frequencies.js';

const matrices = ['self.query', 'self.key', 'self.value', 'self.output', 'widen', 'narrow'];

/** Key/value heads, and the rows of query, key and value in groups. */
function fusedOf(c, heads) {
  const fused = 'self_attention.query_key_value';
  const isNew = c.flag('new_decoder_architecture', false);
  const isMultiQuery = c.flag('multi_query', true);
  const own = c.integer('num_kv_heads', heads);
  const kvHeads = isNew ? own : isMultiQuery ? 1 : heads;
  const queries = heads / kvHeads; // of a group
  const rowsAt = (index, units) => ({ fused, index, units, of: queries + 2, groups: kvHeads });
  return {
    ...{ isNew, kvHeads },
    weightNames: {
      'self.query': rowsAt(0, queries),
      'self.key': rowsAt(queries, 1),
      'self.value': rowsAt(queries + 1, 1),
    },
  };
}

export function falcon(c) {
  const width = c.integer('hidden_size');
  const heads = c.integer('num_attention_heads|n_head');
  const layers = c.layers('num_hidden_layers|n_layer');
  const keyDim = width / heads;
  const { isNew, kvHeads, weightNames } = fusedOf(c, heads);
  const hasAlibi = c.flag('alibi', false);
  const positions = hasAlibi ? {} : rotaryOf(c, layers, { keyDim });
  const parallel = c.flag('parallel_attn', true) || isNew;
  const norms = isNew && c.integer('num_ln_in_parallel_attn', 2) === 2;
  return {
    prefix: 'transformer.',
    vocabulary: c.integer('vocab_size'),
    self: {
      causal: true,
      ...{ layers, width, heads, kvHeads },
      feedForwardWidth: c.integer('ffn_hidden_size', 4 * width),
      maxLength: positions.maxLength,
      embed: { words: 'word_embeddings' },
      layerPrefix: 'h.#.',
      weightNames: {
        selfNorm: norms ? 'ln_attn' : 'input_layernorm',
        ...weightNames,
        'self.output': 'self_attention.dense',
        ...(norms && { feedForwardNorm: 'ln_mlp' }),
        ...(!parallel && { feedForwardNorm: 'post_attention_layernorm' }),
        widen: 'mlp.dense_h_to_4h',
        narrow: 'mlp.dense_4h_to_h',
      },
      withoutBias: c.flag('bias', false) ? [] : matrices,
      norm: 'ln_f',
      // Falcon adds the biases before it divides scores by √d_k.
      ...(hasAlibi && {
        scoresOf: () => ({ slopes: alibiSlopes(heads).map((slope) => slope / Math.sqrt(keyDim)) }),
      }),
      options: {
        normFirst: true,
        parallel,
        activation: c.activation('activation', 'gelu'),
        epsilon: c.positive('layer_norm_epsilon', 1e-5),
        ...(!hasAlibi && { rotary: positions.rotary }),
      },
      optionsOf: positions.optionsOf,
    },
    heads: causalHeads(c),
    ignoredFields: ['max_position_embeddings', 'rope_theta'],
  };
}

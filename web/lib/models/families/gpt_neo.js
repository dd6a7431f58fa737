// GPT-Neo (Black et al., 2021): GPT-2 with unscaled scores; some layers have windowed attention.
import { causalHeads } from '../head_types.js';

/** 'global' or 'local' for each layer, from attention_layers or [[['global', 'local'], 12]]. */
function kindsOf(c, layers) {
  const blocks = c.list('attention_types') ?? [[['global', 'local'], layers / 2]];
  const listed = blocks.flatMap((block) => {
    const [kinds, times] = Array.isArray(block) ? block : [];
    return Array.from({ length: times <= layers ? times : 0 }, () => kinds).flat();
  });
  const kinds = c.list('attention_layers') ?? listed;
  return c.requireEach('attention_types', kinds, layers, ['global', 'local']);
}

export function gptNeo(c) {
  const width = c.integer('hidden_size');
  const layers = c.layers('num_layers|num_hidden_layers');
  const kinds = kindsOf(c, layers);
  const window = c.integer('window_size', 256);
  return {
    prefix: 'transformer.',
    vocabulary: c.integer('vocab_size'),
    self: {
      causal: true,
      layers,
      width,
      heads: c.integer('num_heads|num_attention_heads'),
      feedForwardWidth: c.integer('intermediate_size', 4 * width),
      embed: {
        words: 'wte|lm_head',
        positions: { name: 'wpe', count: c.integer('max_position_embeddings') },
      },
      layerPrefix: 'h.#.',
      weightNames: {
        selfNorm: 'ln_1',
        'self.query': 'attn.attention.q_proj',
        'self.key': 'attn.attention.k_proj',
        'self.value': 'attn.attention.v_proj',
        'self.output': 'attn.attention.out_proj',
        feedForwardNorm: 'ln_2',
        widen: 'mlp.c_fc',
        narrow: 'mlp.c_proj',
      },
      withoutBias: ['self.query', 'self.key', 'self.value'],
      norm: 'ln_f',
      options: {
        normFirst: true,
        activation: c.activation('activation_function', 'gelu_new'),
        epsilon: c.number('layer_norm_epsilon', 1e-5),
        scale: 1,
      },
      windowOf: (n) => (kinds[n] === 'local' ? [window - 1, 0] : undefined),
    },
    heads: causalHeads(c),
    ignored: /(^|\.)attn\.attention\.(masked_)?bias$/,
  };
}

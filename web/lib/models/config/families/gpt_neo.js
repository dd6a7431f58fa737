// GPT-Neo (Black et al., 2021): GPT-2 with unscaled scores; some layers have windowed attention.
import { causalHeads } from '../head_types.js';

/** 'global' or 'local' for each layer, from attention_layers or [[['global', 'local'], 12]]. */
function kindsOf(c, layers) {
  const accepted = ['global', 'local'];
  const blocks = c.list('attention_types') ?? [[accepted, layers / 2]];
  const own = c.list('attention_layers');
  if (own) return c.requireEach('attention_layers', own, layers, accepted);
  const kinds = [];
  for (const block of blocks) {
    const [names, times] = Array.isArray(block) ? block : [];
    const all = [names].flat();
    const count = Number.isInteger(times) ? all.length * times : 0;
    for (let n = 0; n < count && kinds.length <= layers; n++) kinds.push(all[n % all.length]);
  }
  return c.requireEach('attention_types', kinds, layers, accepted);
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
        epsilon: c.positive('layer_norm_epsilon', 1e-5),
        scale: 1,
      },
      windowOf: (n) => (kinds[n] === 'local' ? [window - 1, 0] : undefined),
    },
    heads: causalHeads(c),
    ignored: /(^|\.)attn\.attention\.(masked_)?bias$/,
  };
}

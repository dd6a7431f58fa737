// The expected description of each stack of each model type, from papers and configs. Uses no
// library code.
import { scaledRotary } from './oracle_rotary_scaling.js';

// Layer norm (Ba et al., arXiv 1607.06450), RMS norm (Zhang & Sennrich, arXiv 1910.07467).
const layerNorm = (epsilon) => ({ norm: 'layer', epsilon, normBias: true, normOffset: 0 });
const withoutBias = (epsilon) => ({ ...layerNorm(epsilon), normBias: false });
const rmsNorm = (epsilon) => ({ norm: 'rms', epsilon, normBias: false, normOffset: 0 });

const both = (...positions) => ({ attention: positions, feedForward: positions });
// x = x + f(norm(x)); the norm after the last layer is part of it.
const preNorm = { norms: both('before'), finalNorm: true };
// x = norm(x + f(x))
const postNorm = { norms: both('after'), finalNorm: false };

const gelus = ['gelu_new', 'gelu_pytorch_tanh', 'gelu_fast'];
const activationOf = (name) =>
  gelus.includes(name) ? 'gelu_tanh' : name === 'swish' ? 'silu' : name;

const plain = { parallel: false, gated: false };

/** A rotation of `width` dimensions by the config's scaling. */
function rotary(c, width, theta, interleaved = false) {
  const scaling = c.rope_scaling ?? (c.rope_parameters?.rope_type ? c.rope_parameters : undefined);
  const type = scaling?.rope_type ?? scaling?.type;
  const hasFactor = ['linear', 'llama3', 'yarn'].includes(type);
  return {
    ...{ width, theta, interleaved, ...scaledRotary(c, { width, theta }) },
    ...(type && {
      scaling: {
        type: type === 'su' ? 'longrope' : type,
        ...(hasFactor && { factor: scaling.factor }),
      },
    }),
  };
}

const thetaOf = (c) => c.rope_parameters?.rope_theta ?? c.rope_theta ?? 10_000;
const headOf = (c) => c.head_dim ?? c.hidden_size / c.num_attention_heads;

/** A window of `size` tokens, the token itself among them, that ends with it. */
const backward = (size) => [size - 1, 0];

// ---- encoders --------------------------------------------------------------------------------------

// BERT: arXiv 1810.04805.
const bert = (c) => ({
  ...{ ...plain, ...postNorm, ...layerNorm(c.layer_norm_eps) },
  activation: activationOf(c.hidden_act),
});

// ViT: arXiv 2010.11929.
const vit = (c) => ({ ...bert(c), ...preNorm });

const esm = (c) => ({
  ...{ ...bert(c), ...preNorm },
  layer: () =>
    c.position_embedding_type === 'rotary'
      ? { rotary: rotary(c, c.hidden_size / c.num_attention_heads, 10_000) }
      : {},
});

// ModernBERT (arXiv 2412.13663): global attention in every third layer, the first without a norm before attention, as the
// embeddings are normalized.
const modernbert = (c) => ({
  ...{ ...plain, ...preNorm, gated: true, activation: c.hidden_activation },
  ...(c.norm_bias ? layerNorm(c.norm_eps) : withoutBias(c.norm_eps)),
  layer(n) {
    const isGlobal = n % 3 === 0;
    const reach = c.local_attention / 2;
    const theta = isGlobal ? c.global_rope_theta : c.local_rope_theta;
    return {
      norms: n === 0 ? { attention: [], feedForward: ['before'] } : both('before'),
      rotary: rotary(c, c.hidden_size / c.num_attention_heads, theta),
      ...(!isGlobal && { window: [reach, reach] }),
    };
  },
});

// ---- decoders --------------------------------------------------------------------------------------

// GPT-2 (Radford et al., 2019).
const gpt2 = (c) => ({
  ...{ ...plain, ...preNorm, ...layerNorm(c.layer_norm_epsilon) },
  activation: activationOf(c.activation_function),
});

const gptj = (c) => ({
  ...{ ...gpt2({ layer_norm_epsilon: 1e-5, ...c }), parallel: true },
  layer: () => ({ rotary: rotary(c, c.rotary_dim, 10_000, true) }),
});

// Llama: arXiv 2302.13971.
const llama = (c) => ({
  ...{ ...plain, ...preNorm, ...rmsNorm(c.rms_norm_eps), gated: true, activation: 'silu' },
  layer: (/** @type {number} */ _) => ({ rotary: rotary(c, headOf(c), thetaOf(c)) }),
});

/** @type {(layer: number) => boolean} */
const everyLayer = () => true;

/** Llama with windows in the layers for which isLocal. */
const windowed = (c, isLocal = everyLayer) => ({
  ...llama(c),
  layer: (n) => ({
    ...llama(c).layer(n),
    ...(isLocal(n) && { window: backward(c.sliding_window) }),
  }),
});

const qwen2 = (c) =>
  windowed(c, (n) =>
    c.layer_types ? c.layer_types[n] === 'sliding_attention' : n >= c.max_window_layers,
  );

// Gemma (arXiv 2403.08295): RMS norms times 1 + weight.
const gemma = (c) => ({ ...llama(c), normOffset: 1, activation: 'gelu_tanh' });

// Gemma 2 (arXiv 2408.00118): norms before and behind the parts, a softcap, windows in every second layer.
const gemma2 = (c) => ({
  ...{ ...gemma(c), norms: both('before', 'output'), softcap: c.attn_logit_softcapping },
  layer: (n) => ({
    rotary: rotary(c, headOf(c), 10_000),
    softcap: c.attn_logit_softcapping,
    ...(n % 2 === 0 && { window: backward(c.sliding_window) }),
  }),
});

// Gemma 3 (arXiv 2503.19786): local layers between global ones, with a θ of their own; norms of queries and keys.
const gemma3 = (c) => ({
  ...{ ...gemma(c), norms: both('before', 'output'), queryKeyNorm: 'head' },
  layer(n) {
    const isGlobal = (n + 1) % c.sliding_window_pattern === 0;
    return {
      rotary: rotary(c, headOf(c), isGlobal ? c.rope_theta : c.rope_local_base_freq),
      ...(!isGlobal && { window: backward(c.sliding_window) }),
    };
  },
});

const partial = (c, fraction) => () => ({ rotary: rotary(c, headOf(c) * fraction, thetaOf(c)) });

// Falcon: arXiv 2311.16867.
const falcon = (c) => ({
  ...{ ...plain, ...preNorm, ...layerNorm(1e-5), activation: 'gelu' },
  parallel: c.parallel_attn === true || c.new_decoder_architecture === true,
  layer: () => (c.alibi ? { slopes: 4 } : { rotary: rotary(c, headOf(c), 10_000) }),
});

// ---- encoder–decoders ------------------------------------------------------------------------------

const sides = (facts, position) => ({
  encoder: facts,
  decoder: { ...facts, norms: { ...facts.norms, crossAttention: [position] } },
});
// BART (arXiv 1910.13461), Marian: norms after the parts. mBART, Pegasus, M2M-100: before.
const bart = (c) => ({
  ...{ ...plain, ...postNorm, ...layerNorm(1e-5) },
  activation: activationOf(c.activation_function),
});
const postBart = (c) => sides(bart(c), 'after');
const preBart = (c) => sides({ ...bart(c), ...preNorm }, 'before');

// T5 (arXiv 1910.10683): RMS norms; v1.1 has a gated feed-forward.
const t5 = (c) => {
  const isGated = c.feed_forward_proj === 'gated-gelu';
  const facts = {
    ...{ ...plain, ...preNorm, ...rmsNorm(c.layer_norm_epsilon), gated: isGated },
    activation: isGated ? 'gelu_tanh' : 'relu',
  };
  return c.architectures?.[0] === 'T5EncoderModel' ? { self: facts } : sides(facts, 'before');
};

const self = (factsOf) => (c) => ({ self: factsOf(c) });

const byType = {
  bert: self(bert),
  roberta: self(bert),
  'xlm-roberta': self(bert),
  camembert: self(bert),
  'roberta-prelayernorm': self(vit),
  mpnet: self(bert),
  modernbert: self(modernbert),
  'deberta-v2': self(bert),
  esm: self(esm),
  distilbert: self((c) => bert({ layer_norm_eps: 1e-12, hidden_act: c.activation })),
  albert: self(bert),
  electra: self(bert),
  gpt2: self(gpt2),
  // Every second layer is local.
  gpt_neo: self((c) => ({
    ...gpt2(c),
    layer: (n) => (n % 2 === 1 ? { window: backward(c.window_size) } : {}),
  })),
  gpt_neox: self((c) => ({
    ...{ ...vit(c), parallel: c.use_parallel_residual },
    layer: () => ({ rotary: rotary(c, headOf(c) * c.rotary_pct, c.rotary_emb_base) }),
  })),
  llama: self(llama),
  mistral: self((c) => windowed(c)),
  qwen2: self(qwen2),
  qwen3: self((c) => ({ ...llama(c), queryKeyNorm: 'head' })),
  phi: self((c) => ({
    ...{ ...vit(c), parallel: true },
    layer: partial(c, c.partial_rotary_factor),
  })),
  phi3: self((c) => ({
    ...llama(c),
    layer: () => ({
      ...partial(c, c.partial_rotary_factor)(),
      window: backward(c.sliding_window),
    }),
  })),
  gemma: self(gemma),
  gemma2: self(gemma2),
  gemma3_text: self(gemma3),
  // OLMo 2 (arXiv 2501.00656): norms of what the parts add, of queries and keys over all heads.
  olmo2: self((c) => ({ ...llama(c), norms: both('output'), queryKeyNorm: 'all' })),
  granite: self((c) => ({ ...llama(c), residualScale: c.residual_multiplier })),
  smollm3: self((c) => ({
    ...llama(c),
    layer: (n) => (c.no_rope_layers[n] === 1 ? llama(c).layer(n) : {}),
  })),
  stablelm: self((c) => ({
    ...{ ...llama(c), ...layerNorm(c.layer_norm_eps), parallel: c.use_parallel_residual === true },
    layer: partial(c, c.partial_rotary_factor),
  })),
  cohere: self((c) => ({
    ...{ ...llama(c), ...withoutBias(c.layer_norm_eps), parallel: true },
    layer: () => ({ rotary: rotary(c, headOf(c), 10_000, true) }),
  })),
  starcoder2: self((c) => ({
    ...{ ...windowed(c), ...layerNorm(c.norm_epsilon), gated: false, activation: 'gelu_tanh' },
  })),
  opt: self((c) => ({
    ...{ ...plain, ...layerNorm(1e-5), activation: 'relu' },
    ...(c.do_layer_norm_before ? preNorm : postNorm),
  })),
  bloom: self((c) => ({
    ...{ ...plain, ...preNorm, ...layerNorm(1e-5), activation: 'gelu_tanh' },
    layer: () => ({ slopes: c.n_head }),
  })),
  falcon: self(falcon),
  mpt: self((c) => ({
    ...{ ...plain, ...preNorm, ...withoutBias(1e-5), activation: 'gelu' },
    layer: () => ({ slopes: c.n_heads }),
  })),
  gptj: self(gptj),
  codegen: self(gptj),
  gpt_bigcode: self(gpt2),
  bart: postBart,
  mbart: preBart,
  marian: postBart,
  pegasus: preBart,
  m2m_100: preBart,
  t5,
  // torch.nn.Transformer: norms after the parts by default, and after each stack.
  nn_transformer(c) {
    const position = c.norm_first ? 'before' : 'after';
    const facts = { ...plain, ...layerNorm(1e-5), norms: both(position), finalNorm: true };
    return sides({ ...facts, activation: 'relu' }, position);
  },
  vit: self(vit),
  // DINOv2 (arXiv 2304.07193): ViT with layer scale.
  dinov2: self((c) => ({
    ...{ ...vit(c), residualScale: 'learned' },
    ...(c.use_swiglu_ffn && { gated: true, activation: 'silu' }),
  })),
};

/** Model types with facts. */
export const typesWithFacts = Object.keys(byType);

/**
 * The facts of each stack of a config; layer(n): those of a layer that it does not share with all. slopes: their number.
 */
export const factsOf = (config) => byType[config.model_type](config);

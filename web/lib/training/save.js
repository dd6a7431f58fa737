// A trained model under the names of Hugging Face's transformers: GPT-2, or mBART.

/** @import { Sizes } from './parameter_list.js' */
const transposed = ({ data, dims: [rows, cols] }) => ({
  data: Float32Array.from(data, (_, at) => data[(at % rows) * cols + Math.floor(at / rows)]),
  dims: [cols, rows],
});

/** Columns first · width to (first + 1) · width; of a bias its numbers. */
function columns({ data, dims }, first, width) {
  const cols = dims.at(-1);
  const isColumn = (at) => Math.floor((at % cols) / width) === first;
  return { data: data.filter((_, at) => isColumn(at)), dims: [...dims.slice(0, -1), width] };
}

const gpt2Layer = {
  'self.norm': 'ln_1',
  'self.queryKeyValue': 'attn.c_attn',
  'self.output': 'attn.c_proj',
  'feedForward.norm': 'ln_2',
  'feedForward.up': 'mlp.c_fc',
  'feedForward.down': 'mlp.c_proj',
};

function gpt2(sizes, parameters) {
  const { vocabulary, width, layers, heads, hidden, context, tied } = sizes;
  const name = (own) => {
    const [, n, module, kind] = own.match(/^decoder\.layers\.(\d+)\.(.+)\.(weight|bias)$/) ?? [];
    if (module) return `transformer.h.${n}.${gpt2Layer[module]}.${kind}`;
    return {
      embedding: 'transformer.wte.weight',
      'decoder.positions': 'transformer.wpe.weight',
      'decoder.norm.weight': 'transformer.ln_f.weight',
      'decoder.norm.bias': 'transformer.ln_f.bias',
      head: 'lm_head.weight',
    }[own];
  };
  const weights = {};
  for (const { name: own, data, dims } of parameters) weights[name(own)] = { data, dims };
  const config = {
    model_type: 'gpt2',
    architectures: ['GPT2LMHeadModel'],
    vocab_size: vocabulary,
    n_embd: width,
    n_layer: layers,
    n_head: heads,
    n_inner: hidden,
    n_positions: context,
    activation_function: 'gelu_new',
    layer_norm_epsilon: 1e-5,
    tie_word_embeddings: tied,
    bos_token_id: null,
    eos_token_id: null,
  };
  return { config, weights };
}

const mbartLayer = {
  'self.norm': 'self_attn_layer_norm',
  'self.output': 'self_attn.out_proj',
  'cross.norm': 'encoder_attn_layer_norm',
  'cross.query': 'encoder_attn.q_proj',
  'cross.output': 'encoder_attn.out_proj',
  'feedForward.norm': 'final_layer_norm',
  'feedForward.up': 'fc1',
  'feedForward.down': 'fc2',
};
// Projections that are side by side here.
const mbartProjections = {
  'self.queryKeyValue': ['self_attn.q_proj', 'self_attn.k_proj', 'self_attn.v_proj'],
  'cross.keyValue': ['encoder_attn.k_proj', 'encoder_attn.v_proj'],
};

/** Learned positions start at the third row of mBART's table. */
const withUnusedRows = ({ data, dims: [rows, width] }) => {
  const all = new Float32Array((rows + 2) * width);
  all.set(data, 2 * width);
  return { data: all, dims: [rows + 2, width] };
};

function mbart(sizes, parameters) {
  const { vocabulary, width, layers, heads, hidden, context } = sizes;
  /** @type {Record<string, { data: Float32Array, dims: number[] } | undefined>} */
  const weights = {
    'model.shared.weight': undefined,
    final_logits_bias: { data: new Float32Array(vocabulary), dims: [1, vocabulary] },
  };
  // torch.nn.Linear stores out × in.
  const outByIn = (tensor) => (tensor.dims.length === 2 ? transposed(tensor) : tensor);
  for (const parameter of parameters) {
    const { name: own, data, dims } = parameter;
    const tensor = { data, dims };
    const [, side, rest] = own.match(/^(encoder|decoder)\.(.+)$/) ?? [];
    const [, n, module, kind] = rest?.match(/^layers\.(\d+)\.(.+)\.(weight|bias)$/) ?? [];
    const prefix = `model.${side}.layers.${n}.`;
    if (own === 'embedding') {
      weights['model.shared.weight'] = tensor;
    } else if (rest === 'positions') {
      weights[`model.${side}.embed_positions.weight`] = withUnusedRows(tensor);
    } else if (module in mbartProjections) {
      mbartProjections[module].forEach((name, at) => {
        weights[`${prefix}${name}.${kind}`] = outByIn(columns(tensor, at, width));
      });
    } else if (module in mbartLayer) {
      weights[`${prefix}${mbartLayer[module]}.${kind}`] = outByIn(tensor);
    } else {
      const name = rest
        .replace('embeddingNorm', 'layernorm_embedding')
        .replace(/^norm/, 'layer_norm');
      weights[`model.${side}.${name}`] = tensor;
    }
  }
  const config = {
    model_type: 'mbart',
    architectures: ['MBartForConditionalGeneration'],
    is_encoder_decoder: true,
    vocab_size: vocabulary,
    d_model: width,
    encoder_layers: layers,
    decoder_layers: layers,
    encoder_attention_heads: heads,
    decoder_attention_heads: heads,
    encoder_ffn_dim: hidden,
    decoder_ffn_dim: hidden,
    max_position_embeddings: context,
    activation_function: 'gelu_new',
    scale_embedding: false,
    tie_word_embeddings: true,
    bos_token_id: null,
    eos_token_id: null,
    pad_token_id: null,
    forced_eos_token_id: null,
  };
  return { config, weights };
}

/** Query projections times `factor`: mBART's config cannot name a scale, GPT-2's only 1. */
const withScaledQueries = (parameters, width, factor) =>
  parameters.map(({ name, data, dims }) => {
    const [, module] = name.match(/\.(queryKeyValue|query)\.(?:weight|bias)$/) ?? [];
    const isQuery = (at) => module && at % dims.at(-1) < width;
    return { name, dims, data: data.map((value, at) => (isQuery(at) ? value * factor : value)) };
  });

/** `sizes` as in TrainableTransformer. */
export function save(/** @type {Sizes} */ { scale, ...sizes }, parameters) {
  const { hasEncoder, width, heads } = sizes;
  const factor = scale === undefined ? 1 : scale * Math.sqrt(width / heads);
  const scaled = factor === 1 ? parameters : withScaledQueries(parameters, width, factor);
  return (hasEncoder ? mbart : gpt2)(sizes, scaled);
}

// Models as GGUF files for llama.cpp: the tensors of a safetensors file under llama.cpp's names and with its order of rows, and
// the fields of the config as its key-values, as its converter (convert_hf_to_gguf.py) writes them.
import { ggufBytes } from './gguf_file.js';
import { range } from './oracle_parts.js';

/** Sizes that all configs have, under any of their names. */
function sizesOf(c) {
  const heads = c.num_attention_heads ?? c.n_head ?? c.n_heads;
  const width = c.hidden_size ?? c.n_embd ?? c.d_model;
  return {
    ...{ heads, width, d: c.head_dim ?? width / heads },
    kvHeads: c.num_key_value_heads ?? c.num_kv_heads ?? (c.multi_query ? 1 : heads),
    inner:
      c.intermediate_size ?? c.ffn_hidden_size ?? c.n_inner ?? width * (c.expansion_ratio ?? 4),
    layers: c.num_hidden_layers ?? c.n_layer ?? c.n_layers,
  };
}

// ---- tensors ---------------------------------------------------------------------------------------

/** Rows of a tensor in another order: from[i] is the row that comes at i. */
function reordered({ data, dims }, from) {
  const size = data.length / dims[0];
  const result = new Float32Array(data.length);
  from.forEach((row, at) => result.set(data.subarray(row * size, (row + 1) * size), at * size));
  return { data: result, dims };
}

/** Rotary pairs of rows i and i + d / 2 as neighbors. */
const pairedRows = (kind) => (tensor, sizes) => {
  const { d } = sizes;
  const rowOf = (head, at) => head * d + (at % 2) * (d / 2) + Math.floor(at / 2);
  return reordered(
    tensor,
    range(sizes[kind]).flatMap((head) => range(d).map((at) => rowOf(head, at))),
  );
};
/** Query, key and value rows of each group, sorted into all queries, all keys and all values. */
const sortedGroups = (tensor, { heads, kvHeads, d }) => {
  const queries = heads / kvHeads;
  const rows = (first, last) =>
    range(kvHeads).flatMap((group) =>
      range((last - first) * d).map((row) => (group * (queries + 2) + first) * d + row),
    );
  const parts = [rows(0, queries), rows(queries, queries + 1), rows(queries + 1, queries + 2)];
  return reordered(tensor, parts.flat());
};
/** Conv1D of GPT-2 has rows of inputs. */
function transposed({ data, dims }) {
  if (dims.length === 1) return { data, dims };
  const [inputs, outputs] = dims;
  const at = (index) => data[(index % inputs) * outputs + Math.floor(index / inputs)];
  return { data: Float32Array.from(data, (_, index) => at(index)), dims: [outputs, inputs] };
}
const oneMore = ({ data, dims }) => ({ data: data.map((x) => 1 + x), dims });

const ofLlama = {
  ...{ 'model.embed_tokens': 'token_embd', 'model.norm': 'output_norm', lm_head: 'output' },
  ...{ input_layernorm: 'attn_norm', post_attention_layernorm: 'ffn_norm' },
  ...{ 'self_attn.q_proj': 'attn_q', 'self_attn.k_proj': 'attn_k', 'self_attn.v_proj': 'attn_v' },
  ...{ 'self_attn.qkv_proj': 'attn_qkv', 'self_attn.o_proj': 'attn_output' },
  ...{ 'self_attn.q_norm': 'attn_q_norm', 'self_attn.k_norm': 'attn_k_norm' },
  ...{ 'mlp.gate_proj': 'ffn_gate', 'mlp.up_proj': 'ffn_up', 'mlp.down_proj': 'ffn_down' },
  ...{ 'mlp.gate_up_proj': 'ffn_up', 'mlp.c_fc': 'ffn_up', 'mlp.c_proj': 'ffn_down' },
};
const withOutputNorms = {
  ...ofLlama,
  post_attention_layernorm: 'post_attention_norm',
  pre_feedforward_layernorm: 'ffn_norm',
  post_feedforward_layernorm: 'post_ffw_norm',
};
const ofPhi = {
  ...{ ...ofLlama, 'model.final_layernorm': 'output_norm', 'self_attn.dense': 'attn_output' },
  ...{ 'mlp.fc1': 'ffn_up', 'mlp.fc2': 'ffn_down' },
};
const ofGpt2 = {
  ...{ 'transformer.wte': 'token_embd', 'transformer.wpe': 'position_embd' },
  ...{ 'transformer.ln_f': 'output_norm', ln_1: 'attn_norm', ln_2: 'ffn_norm' },
  ...{ 'attn.c_attn': 'attn_qkv', 'attn.c_proj': 'attn_output' },
  ...{ 'mlp.c_fc': 'ffn_up', 'mlp.c_proj': 'ffn_down' },
};
const ofBloom = {
  'transformer.word_embeddings': 'token_embd',
  'transformer.word_embeddings_layernorm': 'token_embd_norm',
  ...{ 'transformer.ln_f': 'output_norm', input_layernorm: 'attn_norm' },
  ...{ ln_mlp: 'attn_norm', ln_attn: 'attn_norm_2', post_attention_layernorm: 'ffn_norm' },
  ...{ 'self_attention.query_key_value': 'attn_qkv', 'self_attention.dense': 'attn_output' },
  ...{ 'mlp.dense_h_to_4h': 'ffn_up', 'mlp.dense_4h_to_h': 'ffn_down' },
};
const ofNeoX = {
  ...{ ...ofBloom, 'gpt_neox.embed_in': 'token_embd', embed_out: 'output' },
  'gpt_neox.final_layer_norm': 'output_norm',
  ...{ 'attention.query_key_value': 'attn_qkv', 'attention.dense': 'attn_output' },
};
const ofMpt = {
  ...{ 'transformer.wte': 'token_embd', 'transformer.norm_f': 'output_norm' },
  ...{ norm_1: 'attn_norm', norm_2: 'ffn_norm', 'attn.Wqkv': 'attn_qkv' },
  ...{ 'attn.out_proj': 'attn_output', 'ffn.up_proj': 'ffn_up', 'ffn.down_proj': 'ffn_down' },
};

const paired = { attn_q: pairedRows('heads'), attn_k: pairedRows('kvHeads') };
const sorted = { attn_qkv: sortedGroups };
const norms = ['output', 'attn', 'ffn', 'post_attention', 'post_ffw', 'attn_q', 'attn_k'];
const plusOne = Object.fromEntries(norms.map((name) => [`${name}_norm`, oneMore]));
const byColumns = Object.fromEntries(
  ['attn_qkv', 'attn_output', 'ffn_up', 'ffn_down'].map((name) => [name, transposed]),
);

// ---- families --------------------------------------------------------------------------------------

function ropeScaling({ rope_parameters: parameters, rope_scaling: scaling = parameters }) {
  if (!scaling) return {};
  const key = (name) => `rope.scaling.${name}`;
  const { type, factor, original_max_position_embeddings: original } = scaling;
  const betas = {
    [key('yarn_beta_fast')]: scaling.beta_fast,
    [key('yarn_beta_slow')]: scaling.beta_slow,
  };
  return {
    strings: { [key('type')]: type },
    floats: { [key('factor')]: factor, ...(type === 'yarn' && betas) },
    integers: { ...(original && { [key('original_context_length')]: original }) },
  };
}

/**
 * By model type: llama.cpp's architecture; its tensors' names; changes of their numbers, by name; and key-values beside those
 * of all families, by type.
 */
const families = {
  llama: { architecture: 'llama', names: ofLlama, changes: paired, more: ropeScaling },
  mistral: { architecture: 'llama', names: ofLlama, changes: paired },
  qwen2: { architecture: 'qwen2', names: ofLlama },
  qwen3: { architecture: 'qwen3', names: ofLlama },
  smollm3: { architecture: 'smollm3', names: ofLlama, changes: paired },
  granite: {
    ...{ architecture: 'granite', names: ofLlama, changes: paired },
    more: (c) => ({
      floats: {
        ...{ 'attention.scale': c.attention_multiplier, embedding_scale: c.embedding_multiplier },
        ...{ residual_scale: c.residual_multiplier, logit_scale: c.logits_scaling },
      },
    }),
  },
  cohere: {
    ...{ architecture: 'command-r', names: ofLlama },
    more: (c) => ({ floats: { logit_scale: c.logit_scale } }),
  },
  starcoder2: { architecture: 'starcoder2', names: ofLlama },
  stablelm: {
    ...{ architecture: 'stablelm', names: ofLlama },
    more: (c) => ({ flags: { use_parallel_residual: c.use_parallel_residual ?? false } }),
  },
  olmo2: { architecture: 'olmo2', names: withOutputNorms },
  phi: { architecture: 'phi2', names: ofPhi },
  phi3: { architecture: 'phi3', names: ofLlama },
  gemma: { architecture: 'gemma', names: ofLlama, changes: plusOne },
  gemma2: {
    ...{ architecture: 'gemma2', names: withOutputNorms, changes: plusOne },
    more: (c) => ({
      integers: { 'attention.sliding_window': c.sliding_window },
      floats: {
        attn_logit_softcapping: c.attn_logit_softcapping,
        final_logit_softcapping: c.final_logit_softcapping,
      },
    }),
  },
  gemma3_text: {
    ...{ architecture: 'gemma3', names: withOutputNorms, changes: plusOne },
    more: (c) => ({
      integers: { 'attention.sliding_window': c.sliding_window },
      floats: { 'rope.freq_base_swa': c.rope_local_base_freq },
    }),
  },
  gpt2: { architecture: 'gpt2', names: ofGpt2, changes: byColumns },
  gpt_bigcode: {
    ...{ architecture: 'starcoder', names: ofGpt2 },
    changesOf: (c) => (c.multi_query ? {} : sorted),
  },
  gpt_neox: {
    ...{ architecture: 'gptneox', names: ofNeoX, changes: sorted },
    more: (c) => ({ flags: { use_parallel_residual: c.use_parallel_residual } }),
  },
  bloom: { architecture: 'bloom', names: ofBloom, changes: sorted },
  falcon: { architecture: 'falcon', names: ofBloom, changes: sorted },
  mpt: {
    ...{ architecture: 'mpt', names: ofMpt },
    more: (c) => ({ floats: { 'attention.max_alibi_bias': c.attn_config.alibi_bias_max } }),
  },
};

/** @type {(c: object) => object} */
const nothingOf = () => ({});

function keyValuesOf(c, { architecture, more = nothingOf }) {
  const { heads, kvHeads, width, d, layers, inner } = sizesOf(c);
  const layerNorm = c.layer_norm_eps ?? c.layer_norm_epsilon ?? c.norm_epsilon;
  const own = more(c);
  const integers = {
    ...{ vocab_size: c.vocab_size, embedding_length: width },
    context_length: c.n_positions ?? c.max_position_embeddings ?? 32,
    ...{ block_count: layers, feed_forward_length: inner, 'attention.head_count': heads },
    ...{ 'attention.head_count_kv': kvHeads, 'attention.key_length': d },
    'attention.value_length': d,
    'rope.dimension_count': d * (c.partial_rotary_factor ?? c.rotary_pct ?? 1),
    ...own.integers,
  };
  const floats = {
    ...(c.rms_norm_eps && { 'attention.layer_norm_rms_epsilon': c.rms_norm_eps }),
    ...(layerNorm && { 'attention.layer_norm_epsilon': layerNorm }),
    'rope.freq_base': c.rope_theta ?? c.rope_parameters?.rope_theta ?? c.rotary_emb_base ?? 10_000,
    ...own.floats,
  };
  const named = (values = {}) =>
    Object.fromEntries(Object.entries(values).map(([key, x]) => [`${architecture}.${key}`, x]));
  return {
    strings: {
      'general.architecture': architecture,
      'tokenizer.ggml.model': 'no_vocab',
      ...named(own.strings),
    },
    ...{ integers: named(integers), floats: named(floats), flags: named(own.flags) },
  };
}

function tensorsOf(weights, c, { names, changes = {}, changesOf }) {
  const sizes = sizesOf(c);
  const tensors = new Map();
  for (const [name, tensor] of weights) {
    const [, layer, part, kind] = /^(?:.*\.(\d+)\.)?(.*)\.(weight|bias)$/.exec(name) ?? [];
    if (!Object.hasOwn(names, part)) throw new Error(`no name in GGUF for ${name}`);
    const renamed = names[part];
    const change = (changesOf?.(c) ?? changes)[renamed] ?? ((same) => same);
    tensors.set(`${layer ? `blk.${layer}.` : ''}${renamed}.${kind}`, change(tensor, sizes));
  }
  return tensors;
}

/** Bytes of a GGUF file with the model of a config and its weights (float32, by name). */
export function ggufModel({ config, weights }) {
  const family = families[config.model_type];
  return ggufBytes(keyValuesOf(config, family), tensorsOf(weights, config, family));
}

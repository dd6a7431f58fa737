// Decoders beside llama.cpp, an independent implementation: logits of all positions from the same random weights, as a GGUF
// file there and as safetensors here.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { ggufModel } from '../../support/js/gguf_models.js';
import { llamaCppLogits } from '../../support/js/llama_cpp.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { range } from '../../support/js/oracle_parts.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const sequences = [[3], [4, 9, 2, 7, 7, 1], [10, 0, 5, 5, 8, 3, 1, 6, 2, 9]];

// llama.cpp has no windows for these families.
const withoutWindow = { use_sliding_window: undefined, sliding_window: undefined };
// For some its heads have hidden_size / num_attention_heads columns; one head where a part of them is rotated, so that this
// part has two frequencies.
const twoHeads = { num_attention_heads: 2, num_key_value_heads: 1 };
const oneHead = { num_attention_heads: 1, num_key_value_heads: 1, head_dim: 8 };
const epsilon = { layer_norm_epsilon: 0.01 };

// Cases of the fixtures, with fields as llama.cpp requires them.
const withoutGelu = {
  llama: {},
  'llama, rope_scaling linear': {},
  'llama, rope_parameters yarn': {},
  mistral: withoutWindow,
  qwen2: { ...twoHeads, ...withoutWindow },
  qwen3: {},
  smollm3: { num_hidden_layers: 4, no_rope_layers: [1, 1, 1, 0] },
  granite: {},
  cohere: twoHeads,
  stablelm: oneHead,
  'stablelm, parallel': oneHead,
  olmo2: twoHeads,
  phi3: { ...oneHead, ...withoutWindow },
};
const withGelu = {
  starcoder2: { ...twoHeads, ...withoutWindow },
  phi: {},
  gemma: {},
  gemma2: { query_pre_attn_scalar: 4 },
  gemma3_text: { num_hidden_layers: 6, sliding_window_pattern: 6, query_pre_attn_scalar: 4 },
  gpt2: {},
  gpt_bigcode: {},
  'gpt_bigcode, all heads': {},
  gpt_neox: {},
  'gpt_neox, one after the other': {},
  bloom: epsilon,
  falcon: epsilon,
  'falcon, groups': epsilon,
  mpt: epsilon,
};

/** Extents of a tensor with as many heads as the config has. */
function withHeads(tensor, [rows, ...columns], config) {
  const of = (heads) => heads * config.head_dim;
  const [heads, kvHeads] = [config.num_attention_heads, config.num_key_value_heads];
  if (/_attn\.q_(proj|norm)/.test(tensor)) return [of(heads), ...columns];
  if (/_attn\.([kv]_proj|k_norm)/.test(tensor)) return [of(kvHeads), ...columns];
  if (/_attn\.qkv_proj/.test(tensor)) return [of(heads + 2 * kvHeads), ...columns];
  return tensor.endsWith('o_proj.weight') ? [rows, of(heads)] : [rows, ...columns];
}

/** The config and weights of a case with other fields; norms' epsilons are large enough to be seen. */
function sourceOf(name, fields) {
  const config = { ...cases[name].config, ...fields };
  for (const field of Object.keys(config)) {
    if (/_eps(ilon)?$/.test(field)) config[field] = 0.01;
    if (config[field] === undefined) delete config[field];
  }
  const layers = range(config.num_hidden_layers ?? config.n_layer ?? config.n_layers);
  const shapes = Object.entries(cases[name].shapes)
    // Layer 0 stands for all; GPT-2's `attn.bias` buffers are skipped.
    .filter(([tensor]) => !/\.[1-9]\.|\.attn\.bias$/.test(tensor))
    .flatMap(([tensor, dims]) => {
      const extents = fields.num_attention_heads ? withHeads(tensor, dims, config) : dims;
      if (!tensor.includes('.0.')) return [[tensor, extents]];
      return layers.map((layer) => [tensor.replace('.0.', `.${layer}.`), extents]);
    });
  return { config, weights: seededWeights({ shapes: Object.fromEntries(shapes) }) };
}

async function logitsOf(source) {
  const model = await loadModel(source);
  try {
    return sequences.map((ids) => model.run({ ids }).logits.data);
  } finally {
    model.delete();
  }
}

/** The largest difference of two sequences' logits, in units of the largest logit. */
function difference(ours, theirs) {
  assert.equal(ours.length, theirs.length);
  const largest = (values) => Math.max(...values.map(Math.abs));
  return largest(Array.from(ours, (x, i) => x - theirs[i])) / largest([...theirs]);
}

async function compare(name, fields, bound) {
  const source = sourceOf(name, fields);
  const theirs = await llamaCppLogits(ggufModel(source), sequences);
  const ours = await logitsOf(source);
  ours.forEach((logits, n) => {
    const found = difference(logits, theirs[n]);
    assert.ok(found <= bound, `${sequences[n].length} tokens: ${found} above ${bound}`);
  });
}

describe('decoders beside llama.cpp', () => {
  // Both compute in float32, in other orders: some 10 roundings of 2^-24, which norms and softmaxes enlarge.
  for (const [name, fields] of Object.entries(withoutGelu))
    it(name, () => compare(name, fields, 1e-5));

  // ggml looks GELU up in a table of float16 by float16, each rounded by up to 2^-11, in every layer; for NeoX, Falcon and MPT
  // it takes the approximation by tanh too, which is up to 5e-4 from the exact one.
  for (const [name, fields] of Object.entries(withGelu))
    it(name, () => compare(name, fields, 4e-3));
});

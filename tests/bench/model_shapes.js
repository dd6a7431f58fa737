// BERT-base and GPT-2 small with random weights; speed does not depend on the values.
import { sizeOf } from '../support/js/random_tensors.js';

export const bert = {
  config: {
    ...{ model_type: 'bert', vocab_size: 30_522, hidden_size: 768, num_hidden_layers: 12 },
    ...{ num_attention_heads: 12, intermediate_size: 3072, max_position_embeddings: 512 },
    ...{ type_vocab_size: 2, hidden_act: 'gelu', layer_norm_eps: 1e-12 },
  },
  dims() {
    const dims = {
      'embeddings.word_embeddings.weight': [30_522, 768],
      'embeddings.position_embeddings.weight': [512, 768],
      'embeddings.token_type_embeddings.weight': [2, 768],
      ...norm('embeddings.LayerNorm'),
    };
    for (let n = 0; n < 12; n++) {
      const at = `encoder.layer.${n}.`;
      for (const part of ['query', 'key', 'value']) {
        Object.assign(dims, dense(`${at}attention.self.${part}`, [768, 768]));
      }
      Object.assign(dims, dense(`${at}attention.output.dense`, [768, 768]));
      Object.assign(dims, norm(`${at}attention.output.LayerNorm`));
      Object.assign(dims, dense(`${at}intermediate.dense`, [3072, 768]));
      Object.assign(dims, dense(`${at}output.dense`, [768, 3072]), norm(`${at}output.LayerNorm`));
    }
    return dims;
  },
};

export const gpt2 = {
  config: {
    ...{ model_type: 'gpt2', vocab_size: 50_257, n_embd: 768, n_layer: 12, n_head: 12 },
    ...{ n_positions: 1024, activation_function: 'gelu_new', layer_norm_epsilon: 1e-5 },
    architectures: ['GPT2LMHeadModel'],
  },
  dims() {
    const dims = { 'wte.weight': [50_257, 768], 'wpe.weight': [1024, 768] };
    for (let n = 0; n < 12; n++) {
      const at = `h.${n}.`;
      Object.assign(dims, norm(`${at}ln_1`), norm(`${at}ln_2`));
      // Stored in × out.
      Object.assign(dims, dense(`${at}attn.c_attn`, [768, 2304], 2304));
      Object.assign(dims, dense(`${at}attn.c_proj`, [768, 768]));
      Object.assign(dims, dense(`${at}mlp.c_fc`, [768, 3072], 3072));
      Object.assign(dims, dense(`${at}mlp.c_proj`, [3072, 768], 768));
    }
    return { ...dims, ...norm('ln_f') };
  },
};

const norm = (name) => ({ [`${name}.weight`]: [768], [`${name}.bias`]: [768] });
const dense = (name, dims, outputs = dims[0]) => ({
  [`${name}.weight`]: dims,
  [`${name}.bias`]: [outputs],
});

/** The tensors of a model by name; fast rather than well distributed, there are 124 million numbers. */
export function seededTensors({ dims }) {
  let state = 1;
  const tensors = new Map();
  for (const [name, size] of Object.entries(dims())) {
    const data = new Float32Array(sizeOf(size));
    const isScale = size.length === 1 && /(LayerNorm|ln_\w)\.weight$/.test(name);
    const spread = size.length === 1 ? 0.1 : 0.07;
    for (let n = 0; n < data.length; n++) {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
      data[n] = (isScale ? 1 : 0) + (state / 2 ** 31) * spread;
    }
    tensors.set(name, { data, dims: size, type: 'float32' });
  }
  return tensors;
}

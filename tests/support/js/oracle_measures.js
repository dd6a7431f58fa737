// Measures of what is inside a model, in float64 and by their definitions, from the places of oracle_model.js. Uses no library
// code.
import { erfc } from './error_function.js';

const range = (count) => Array.from({ length: count }, (_, index) => index);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const dot = (a, b) => sum(a.map((x, c) => x * b[c]));
const length = (row) => Math.sqrt(dot(row, row));

/** Row `index` of a tensor's last axis, as an array. */
const row = ({ data, dims }, index) =>
  Array.from(data.slice(index * dims.at(-1), (index + 1) * dims.at(-1)));

const statistics = (x, { isRms, epsilon }) => {
  const mean = isRms ? 0 : sum(x) / x.length;
  return { mean, deviation: Math.sqrt(sum(x.map((a) => (a - mean) ** 2)) / x.length + epsilon) };
};

const normalized = (x, norm) => {
  const { mean, deviation } = statistics(x, norm);
  return x.map((a, c) => ((a - mean) / deviation) * norm.weight[c] + (norm.bias?.[c] ?? 0));
};

/** Final norms and heads, from readers of tensors by name. */
const heads = {
  gpt2: (w) => ({ norm: w.norm('transformer.ln_f', 1e-5), matrix: 'transformer.wte.weight' }),
  qwen3: (w) => ({
    norm: { ...w.norm('model.norm', 1e-6), isRms: true },
    matrix: 'model.embed_tokens.weight',
  }),
  gpt_neox: (w) => ({
    norm: w.norm('gpt_neox.final_layer_norm', 1e-5),
    matrix: 'embed_out.weight',
  }),
  t5: (w) => ({
    norm: { ...w.norm('decoder.final_layer_norm', 1e-6), isRms: true },
    matrix: 'shared.weight',
    scale: 8 ** -0.5,
  }),
  vit: (w) => ({
    norm: w.norm('vit.layernorm', 1e-6),
    matrix: 'classifier.weight',
    bias: w.numbers('classifier.bias'),
  }),
};

const outputBiases = {
  gpt2: (layer) => `transformer.h.${layer}.attn.c_proj.bias`,
  gpt_neox: (layer) => `gpt_neox.layers.${layer}.attention.dense.bias`,
  vit: (layer) => `vit.layers.${layer}.attention.o_proj.bias`,
};

function readers(weights) {
  const numbers = (name) => weights.has(name) && Array.from(weights.get(name).data);
  const norm = (name, epsilon) => {
    const [weight, bias] = weights.has(`${name}.gamma`) ? ['gamma', 'beta'] : ['weight', 'bias'];
    return { weight: numbers(`${name}.${weight}`), bias: numbers(`${name}.${bias}`) || undefined, epsilon }; // prettier-ignore
  };
  const rows = (name) => range(weights.get(name).dims[0]).map((at) => row(weights.get(name), at));
  return { numbers, norm, rows };
}

/** The logits of one row of the residual stream. */
export function logitsOf({ config, weights }, x) {
  const w = readers(weights);
  if (config.model_type === 'bert') {
    const at = 'cls.predictions.';
    const dense = w.rows(`${at}transform.dense.weight`);
    const bias = w.numbers(`${at}transform.dense.bias`);
    const y = dense.map((weight, c) => dot(weight, x) + bias[c]);
    const active = y.map((a) => 0.5 * a * erfc(-a / Math.SQRT2));
    const z = normalized(active, w.norm(`${at}transform.LayerNorm`, 1e-12));
    const words = w.rows('bert.embeddings.word_embeddings.weight');
    return words.map((word, id) => dot(word, z) + w.numbers(`${at}bias`)[id]);
  }
  const { norm, matrix, scale = 1, bias } = heads[config.model_type](w);
  const y = normalized(x, norm);
  return w.rows(matrix).map((word, id) => scale * dot(word, y) + (bias?.[id] ?? 0));
}

/**
 * The parts of the logit of `token`, minus that of `against`, at a position. captured: of oracleModel(); embedded: { source, row
 * }[] of the position.
 */
export function attributionOf(
  { config, weights },
  captured,
  embedded,
  { position, token, against },
) {
  const w = readers(weights);
  const { norm, matrix, scale = 1, bias } = heads[config.model_type](w);
  const words = w.rows(matrix);
  const direction = words[token].map((x, c) => scale * (x - (words[against]?.[c] ?? 0)));
  const side = captured.has('self resid_post 0') ? 'self' : 'decoder';
  const count = [...captured.keys()].filter((key) => key.startsWith(`${side} resid_post`)).length;
  const last = row(captured.get(`${side} resid_post ${count - 1}`), position);
  const { deviation } = statistics(last, norm);
  const valueOf = (x) => {
    const mean = norm.isRms ? 0 : sum(x) / x.length;
    return sum(x.map((a, c) => ((a - mean) / deviation) * norm.weight[c] * direction[c]));
  };
  const parts = embedded.map(({ source, row: own }) => ({ source, value: valueOf(own) }));
  for (const layer of range(count)) {
    for (const stack of side === 'self' ? ['self'] : ['decoder', 'cross']) {
      const outputs = captured.get(`${stack} head_out ${layer}`);
      const [headCount, n] = outputs.dims;
      for (const head of range(headCount)) {
        const value = valueOf(row(outputs, head * n + position));
        parts.push({ source: 'head', layer, stack, head, value });
      }
      const outputBias = w.numbers(outputBiases[config.model_type]?.(layer));
      if (outputBias) parts.push({ source: 'attn_bias', layer, stack, value: valueOf(outputBias) });
    }
    const mlp = row(captured.get(`${side} mlp_out ${layer}`), position);
    parts.push({ source: 'mlp_out', layer, stack: side, value: valueOf(mlp) });
  }
  if (norm.bias) parts.push({ source: 'norm_bias', value: dot(norm.bias, direction) });
  if (bias) parts.push({ source: 'logit_bias', value: bias[token] - (bias[against] ?? 0) });
  return parts;
}

/** ‖α_ij v_j W_O^h‖, heads × n × m, and ‖Σ_h α_ij v_j W_O^h‖, n × m. */
export function normsOf(pattern, values) {
  const [headCount, n, m] = pattern.dims;
  const weight = (h, i, j) => pattern.data[(h * n + i) * m + j];
  const vector = (h, i, j) => row(values, h * m + j).map((x) => weight(h, i, j) * x);
  const perHead = range(headCount).flatMap((h) =>
    range(n).flatMap((i) => range(m).map((j) => length(vector(h, i, j)))),
  );
  const together = range(n).flatMap((i) =>
    range(m).map((j) => {
      const vectors = range(headCount).map((h) => vector(h, i, j));
      return length(vectors[0].map((_, c) => sum(vectors.map((x) => x[c]))));
    }),
  );
  return {
    heads: { data: perHead, dims: pattern.dims },
    together: { data: together, dims: [n, m] },
  };
}

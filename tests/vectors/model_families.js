// Tiny models of more families, with seeded weights, and their results: writes model_families.json beside this file, in the
// form of models.json. Written from papers and published configs, in float64, without the library. Matrices are arrays of
// rows, tensors of heads arrays of matrices.
//
//   node model_families.js
import { writeFileSync } from 'node:fs';
import { erfc } from '../support/js/error_function.js';
import { seededWeights } from '../support/js/seeded_weights.js';

// Matrices rounded to int8, rows that they are multiplied with to 14 bits; margin: the smallest distance of a number to the
// middle between two integers, where float32 may round it to the other one.
const int8 = { isOn: false, margins: [] }; // one per case

const range = (count) => Array.from({ length: count }, (_, index) => index);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const dot = (a, b) => sum(a.map((x, i) => x * b[i]));
const mapRows = (x, change) => x.map((row, i) => row.map((a, c) => change(a, i, c)));
const add = (x, y) => mapRows(x, (a, i, c) => a + y[i][c]);
const times = (x, y) => mapRows(x, (a, i, c) => a * y[i][c]);
const scaled = (x, factor) => mapRows(x, (a) => a * factor);

const toEven = (x) => {
  const near = Math.round(x);
  return Math.abs(x % 1) === 0.5 && near % 2 !== 0 ? near - 1 : near;
};

// ---- weights ---------------------------------------------------------------------------------------

const isTable = (name) => /position|token_type|relative_attention|rel_embeddings|wpe/.test(name);

function rounded(row) {
  const largest = Math.max(...row.map(Math.abs));
  const factor = Math.fround(127 / largest);
  return row.map((x) => toEven(Math.fround(x * factor)) * Math.fround(largest / 127));
}

/** Rows of matrices and numbers of vectors by name, and functions of rows: dense(name), layerNorm(name), rmsNorm(name). */
function readers(shapes) {
  const tensors = seededWeights({ shapes });
  int8.margins.push(0.5);
  const numbers = (name) => Array.from(tensors.get(name).data);
  const rows = (name) => {
    const [count, width] = shapes[name];
    const all = numbers(name);
    const found = range(count).map((row) => all.slice(row * width, (row + 1) * width));
    return int8.isOn && !isTable(name) ? found.map(rounded) : found;
  };
  const product = (x, matrix, bias) =>
    x.map((row) => {
      const steps = 8191 / Math.max(...row.map(Math.abs));
      if (int8.isOn) {
        for (const a of row) {
          const margin = Math.abs(((((a * steps) % 1) + 1) % 1) - 0.5);
          int8.margins.push(Math.min(int8.margins.pop(), margin));
        }
      }
      const own = int8.isOn ? row.map((a) => toEven(a * steps) / steps) : row;
      return matrix.map((of, out) => dot(of, own) + (bias ? bias[out] : 0));
    });
  const dense = (name) => (x) =>
    product(x, rows(`${name}.weight`), shapes[`${name}.bias`] && numbers(`${name}.bias`));
  const layerNorm =
    (name, epsilon = 1e-5) =>
    (x) => {
      const weight = numbers(`${name}.weight`);
      const bias = shapes[`${name}.bias`] ? numbers(`${name}.bias`) : weight.map(() => 0);
      return x.map((row) => {
        const mean = sum(row) / row.length;
        const deviation = Math.sqrt(sum(row.map((a) => (a - mean) ** 2)) / row.length + epsilon);
        return row.map((a, c) => ((a - mean) / deviation) * weight[c] + bias[c]);
      });
    };
  const rmsNorm =
    (name, epsilon = 1e-6, offset = 0) =>
    (x) => {
      const weight = numbers(`${name}.weight`);
      return x.map((row) => {
        const size = Math.sqrt(sum(row.map((a) => a * a)) / row.length + epsilon);
        return row.map((a, c) => (a / size) * (weight[c] + offset));
      });
    };
  const words = (name, ids) => ids.map((id) => rows(name)[id]);
  return { numbers, rows, product, dense, layerNorm, rmsNorm, words };
}

// ---- parts -----------------------------------------------------------------------------------------

const activations = {
  relu: (x) => Math.max(x, 0),
  gelu: (x) => 0.5 * x * erfc(-x / Math.SQRT2),
  tanhGelu: (x) => 0.5 * x * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3))),
  silu: (x) => x / (1 + Math.exp(-x)),
  tanh: Math.tanh,
};
const act = (name) => (x) => mapRows(x, activations[name]);
const then =
  (...steps) =>
  (x) =>
    steps.reduce((y, step) => step(y), x);
const same = (x) => x;

/** Columns first to last - 1 of each row. */
const columns = (x, first, last) => x.map((row) => row.slice(first, last));
/** Heads of `count` equal parts of each row. */
const split = (x, count) => {
  const d = x[0].length / count;
  return range(count).map((h) => columns(x, h * d, (h + 1) * d));
};

const frequencies = (dim, base) => range(dim / 2).map((i) => base ** ((-2 * i) / dim));

/** Number c is rotated with c + half. */
const turnHalves = (turns) => (head) =>
  head.map((row, p) =>
    row.map((a, c) => {
      const half = turns.length;
      if (c >= 2 * half) return a;
      const angle = p * turns[c % half];
      const other = c < half ? -row[c + half] : row[c - half];
      return a * Math.cos(angle) + other * Math.sin(angle);
    }),
  );

/** Number 2i is rotated with 2i + 1. */
const turnPairs = (turns) => (head) =>
  head.map((row, p) =>
    row.map((a, c) => {
      if (c >= 2 * turns.length) return a;
      const angle = p * turns[Math.floor(c / 2)];
      const other = c % 2 === 0 ? -row[c + 1] : row[c - 1];
      return a * Math.cos(angle) + other * Math.sin(angle);
    }),
  );

const causal = (i, j) => j <= i;
const within = (window) => (i, j) => j <= i && j > i - window;
const everything = () => true;

/** Heads of q, fewer of k and v; returns { z: n × heads·d, weights }. */
function attend({ q, k, v, scale, sees = causal, bias = () => 0, cap }) {
  const shared = q.length / k.length;
  const d = q[0][0].length;
  const factor = scale ?? 1 / Math.sqrt(d);
  const capped = (score) => (cap ? cap * Math.tanh(score / cap) : score);
  const weights = q.map((rows, h) =>
    rows.map((row, i) => {
      const keys = k[Math.floor(h / shared)];
      const scores = keys.map((key, j) =>
        sees(i, j) ? capped(factor * dot(row, key)) + bias(h, i, j) : -Infinity,
      );
      const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
      return powers.map((power) => power / sum(powers));
    }),
  );
  const heads = weights.map((rows, h) => {
    const values = v[Math.floor(h / shared)];
    return rows.map((row) => values[0].map((_, c) => sum(row.map((a, j) => a * values[j][c]))));
  });
  return { z: q[0].map((_, i) => heads.flatMap((rows) => rows[i])), weights };
}

/** Runs layers: layer(x, n) → { x, weights }. */
function stack(x, count, layer) {
  const found = { hiddenStates: [x], attentions: [] };
  for (const n of range(count)) {
    const { x: next, weights } = layer(x, n);
    x = next;
    found.hiddenStates.push(x);
    found.attentions.push(weights);
  }
  return { ...found, x };
}

// ---- shapes ----------------------------------------------------------------------------------------

const linearShapes = (name, out, inner, hasBias = true) => ({
  [`${name}.weight`]: [out, inner],
  ...(hasBias && { [`${name}.bias`]: [out] }),
});
const normShapes = (name, width, hasBias = true) => ({
  [`${name}.weight`]: [width],
  ...(hasBias && { [`${name}.bias`]: [width] }),
});
const eachLayer = (count, of) => Object.assign({}, ...range(count).map(of));

const ids = [4, 9, 2, 7, 7, 1];

// ---- norms behind the sublayers --------------------------------------------------------------------

/** Gemma 2, Gemma 3 and OLMo 2: how.gemma: embeddings times √d, 1 + weight, norms before and behind; else behind only. */
function normsBehind(type, more, how = {}) {
  const { gemma = true, cap, finalCap, scale, windows = () => undefined, base = () => 10000 } = how;
  const { headNorms, epsilon = 1e-6, activation = 'tanhGelu' } = how;
  const config = {
    ...{ model_type: type, vocab_size: 11, hidden_size: 8, num_hidden_layers: 3 },
    ...{ num_attention_heads: 4, num_key_value_heads: 2, intermediate_size: 12, head_dim: 4 },
    ...{ max_position_embeddings: 32, tie_word_embeddings: gemma, rms_norm_eps: epsilon, ...more },
  };
  const before = gemma ? ['input_layernorm', 'pre_feedforward_layernorm'] : [];
  const behind = ['post_attention_layernorm', 'post_feedforward_layernorm'];
  const widths = { 'of heads': [4, 4], 'over heads': [16, 8] }[headNorms];
  const shapes = {
    'model.embed_tokens.weight': [11, 8],
    'model.norm.weight': [8],
    ...(!gemma && { 'lm_head.weight': [11, 8] }),
    ...eachLayer(3, (n) => {
      const at = `model.layers.${n}.`;
      return {
        ...Object.assign(
          {},
          ...[...before, ...behind].map((name) => normShapes(at + name, 8, false)),
        ),
        ...linearShapes(`${at}self_attn.q_proj`, 16, 8, false),
        ...linearShapes(`${at}self_attn.k_proj`, 8, 8, false),
        ...linearShapes(`${at}self_attn.v_proj`, 8, 8, false),
        ...linearShapes(`${at}self_attn.o_proj`, 8, 16, false),
        ...(widths && normShapes(`${at}self_attn.q_norm`, widths[0], false)),
        ...(widths && normShapes(`${at}self_attn.k_norm`, widths[1], false)),
        ...linearShapes(`${at}mlp.gate_proj`, 12, 8, false),
        ...linearShapes(`${at}mlp.up_proj`, 12, 8, false),
        ...linearShapes(`${at}mlp.down_proj`, 8, 12, false),
      };
    }),
  };
  const w = readers(shapes);
  const normed = (name) => w.rmsNorm(name, epsilon, gemma ? 1 : 0);
  const first = (name) => (gemma ? normed(name) : same);
  const words = w.words('model.embed_tokens.weight', ids);
  const run = stack(gemma ? scaled(words, Math.sqrt(8)) : words, 3, (x, n) => {
    const at = `model.layers.${n}.`;
    const y = first(`${at}input_layernorm`)(x);
    const heads = (name, count) => {
      const rows = w.dense(`${at}self_attn.${name}_proj`)(y);
      const norm = normed(`${at}self_attn.${name}_norm`);
      const own =
        headNorms === 'of heads'
          ? split(rows, count).map(norm)
          : split(headNorms ? norm(rows) : rows, count);
      return own.map(turnHalves(frequencies(4, base(n))));
    };
    const { z, weights } = attend({
      ...{ q: heads('q', 4), k: heads('k', 2), v: split(w.dense(`${at}self_attn.v_proj`)(y), 2) },
      ...{ scale, cap, sees: windows(n) ? within(windows(n)) : causal },
    });
    const attended = normed(at + behind[0])(w.dense(`${at}self_attn.o_proj`)(z));
    const middle = add(x, attended);
    const input = first(`${at}pre_feedforward_layernorm`)(middle);
    const gate = act(activation)(w.dense(`${at}mlp.gate_proj`)(input));
    const fed = w.dense(`${at}mlp.down_proj`)(times(gate, w.dense(`${at}mlp.up_proj`)(input)));
    return { x: add(middle, normed(at + behind[1])(fed)), weights };
  });
  const hidden = normed('model.norm')(run.x);
  run.hiddenStates[3] = hidden;
  const plain = w.product(hidden, w.rows(gemma ? 'model.embed_tokens.weight' : 'lm_head.weight'));
  const logits = finalCap ? mapRows(plain, (a) => finalCap * Math.tanh(a / finalCap)) : plain;
  return [config, shapes, { ids }, { hidden, ...picked(run), logits }];
}

// ---- decoders --------------------------------------------------------------------------------------

/** Llama's relatives: width 8, 4 heads of 4 numbers, 2 key/value heads. */
function llamaLike(type, more, how = {}) {
  const { bias = false, norm = 'rms', tied = false, turn = turnHalves, mlp = 'gated' } = how;
  const { parallel = false, qkvBias = bias, scale, windows, rope = () => true, offset = 0 } = how;
  const { normBias = false, embedScale = 1, residual = 1, logitScale = 1, epsilon = 1e-6 } = how;
  const { activation = 'silu', fused = false, rotated = 4, base = 10000 } = how;
  const config = {
    ...{ model_type: type, vocab_size: 11, hidden_size: 8, num_hidden_layers: 2 },
    ...{ num_attention_heads: 4, num_key_value_heads: 2, intermediate_size: 12, head_dim: 4 },
    ...{ max_position_embeddings: 32, hidden_act: 'silu', tie_word_embeddings: tied, ...more },
  };
  if (how.noHeadDim) delete config.head_dim;
  const keyDim = how.noHeadDim ? 2 : 4;
  const p = 'model.';
  const kind = (name) => normShapes(name, 8, normBias);
  const shapes = {
    [`${p}embed_tokens.weight`]: [11, 8],
    ...kind(`${p}norm`),
    ...(!tied && { 'lm_head.weight': [11, 8] }),
    ...eachLayer(2, (n) => {
      const at = `${p}layers.${n}.`;
      const own = `${at}self_attn.`;
      return {
        ...kind(`${at}input_layernorm`),
        ...(!parallel && kind(`${at}post_attention_layernorm`)),
        ...(fused
          ? linearShapes(`${own}qkv_proj`, 8 * keyDim, 8, false)
          : {
              ...linearShapes(`${own}q_proj`, 4 * keyDim, 8, qkvBias),
              ...linearShapes(`${own}k_proj`, 2 * keyDim, 8, qkvBias),
              ...linearShapes(`${own}v_proj`, 2 * keyDim, 8, qkvBias),
            }),
        ...linearShapes(`${own}o_proj`, 8, 4 * keyDim, bias),
        ...(mlp === 'gated' &&
          !fused && {
            ...linearShapes(`${at}mlp.gate_proj`, 12, 8, false),
            ...linearShapes(`${at}mlp.up_proj`, 12, 8, false),
            ...linearShapes(`${at}mlp.down_proj`, 8, 12, false),
          }),
        ...(fused && {
          ...linearShapes(`${at}mlp.gate_up_proj`, 24, 8, false),
          ...linearShapes(`${at}mlp.down_proj`, 8, 12, false),
        }),
        ...(mlp === 'plain' && {
          ...linearShapes(`${at}mlp.c_fc`, 12, 8, bias),
          ...linearShapes(`${at}mlp.c_proj`, 8, 12, bias),
        }),
      };
    }),
  };
  const w = readers(shapes);
  const normed = (name) =>
    norm === 'rms' ? w.rmsNorm(name, epsilon, offset) : w.layerNorm(name, epsilon);
  const rotate = (n) => (rope(n) ? turn(frequencies(rotated, base)) : same);
  const feed = (at) => (x) => {
    if (mlp === 'plain') {
      return then(w.dense(`${at}mlp.c_fc`), act(activation), w.dense(`${at}mlp.c_proj`))(x);
    }
    const both = fused && w.dense(`${at}mlp.gate_up_proj`)(x);
    const gate = fused ? columns(both, 0, 12) : w.dense(`${at}mlp.gate_proj`)(x);
    const up = fused ? columns(both, 12, 24) : w.dense(`${at}mlp.up_proj`)(x);
    return w.dense(`${at}mlp.down_proj`)(times(act(activation)(gate), up));
  };
  const start = scaled(w.words(`${p}embed_tokens.weight`, ids), embedScale);
  const run = stack(start, 2, (x, n) => {
    const at = `${p}layers.${n}.`;
    const y = normed(`${at}input_layernorm`)(x);
    const all = fused && w.dense(`${at}self_attn.qkv_proj`)(y);
    const part = (name, first, last) =>
      fused ? columns(all, first * keyDim, last * keyDim) : w.dense(`${at}self_attn.${name}`)(y);
    const { z, weights } = attend({
      q: split(part('q_proj', 0, 4), 4).map(rotate(n)),
      k: split(part('k_proj', 4, 6), 2).map(rotate(n)),
      v: split(part('v_proj', 6, 8), 2),
      scale,
      sees: windows ? within(windows) : causal,
    });
    const attended = scaled(w.dense(`${at}self_attn.o_proj`)(z), residual);
    if (parallel) return { x: add(add(x, attended), feed(at)(y)), weights };
    const middle = add(x, attended);
    const added = feed(at)(normed(`${at}post_attention_layernorm`)(middle));
    return { x: add(middle, scaled(added, residual)), weights };
  });
  const hidden = normed(`${p}norm`)(run.x);
  const table = w.rows(tied ? `${p}embed_tokens.weight` : 'lm_head.weight');
  const logits = w.product(scaled(hidden, logitScale), table);
  run.hiddenStates[2] = hidden;
  return [config, shapes, { ids }, { hidden, ...picked(run), logits }];
}
const picked = ({ hiddenStates, attentions }) => ({ hiddenStates, attentions });

const slopesOf = (heads) => {
  // Written out for 3 and 4 heads: 2^-4, 2^-8 and 2^-2; 2^-2, 2^-4, 2^-6, 2^-8.
  return heads === 3 ? [2 ** -4, 2 ** -8, 2 ** -2] : [2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8];
};

/** Decoders with GPT-2's parts: { at, names, norms, … }. */
function gptLike(config, how) {
  const { width, heads, kvHeads = heads, wide, prefix, at, names, embed, finalNorm } = how;
  const { bias, normBias = true, activation, fused, turn = same, slope, parallel = false } = how;
  const { headName, secondNorm = !parallel && names.second, embedNorm, attentionBias = bias } = how;
  const { epsilon = 1e-5, headBias = false, tied = true, positions } = how;
  const d = width / heads;
  const p = (name) => `${prefix}${name}`;
  const layer = (n) => p(at(n));
  const shapes = {
    [p(`${embed}.weight`)]: [11, width],
    ...(positions && { [p(`${positions}.weight`)]: [10, width] }),
    ...(embedNorm && normShapes(p(embedNorm), width, normBias)),
    ...normShapes(p(finalNorm), width, normBias),
    ...(!tied && linearShapes(headName, 11, width, headBias)),
    ...eachLayer(2, (n) => ({
      ...normShapes(layer(n) + names.first, width, normBias),
      ...(secondNorm && normShapes(layer(n) + secondNorm, width, normBias)),
      ...(fused
        ? linearShapes(layer(n) + names.fused, (heads + 2 * kvHeads) * d, width, attentionBias)
        : Object.assign(
            {},
            ...names.separate.map((name) =>
              linearShapes(layer(n) + name, width, width, attentionBias),
            ),
          )),
      ...linearShapes(layer(n) + names.output, width, width, attentionBias),
      ...linearShapes(layer(n) + names.up, wide, width, bias),
      ...linearShapes(layer(n) + names.down, width, wide, bias),
    })),
  };
  const w = readers(shapes);
  const words = w.words(p(`${embed}.weight`), ids);
  const normed = embedNorm ? w.layerNorm(p(embedNorm), epsilon)(words) : words;
  const places = positions && w.rows(p(`${positions}.weight`));
  const start = places ? add(normed, places.slice(0, ids.length)) : normed;
  const run = stack(start, 2, (x, n) => {
    const y = w.layerNorm(layer(n) + names.first, epsilon)(x);
    const all = fused && w.dense(layer(n) + names.fused)(y);
    const [q, k, v] = fused
      ? fused({ all, d, heads, kvHeads })
      : names.separate.map((name) => split(w.dense(layer(n) + name)(y), heads));
    const bias = slope && ((h, i, j) => slope(h) * (j - i));
    const { z, weights } = attend({ q: q.map(turn), k: k.map(turn), v, bias });
    const attended = w.dense(layer(n) + names.output)(z);
    const feed = then(
      w.dense(layer(n) + names.up),
      act(activation),
      w.dense(layer(n) + names.down),
    );
    if (parallel) {
      const input = secondNorm ? w.layerNorm(layer(n) + secondNorm, epsilon)(x) : y;
      return { x: add(add(x, attended), feed(input)), weights };
    }
    const middle = add(x, attended);
    return { x: add(middle, feed(w.layerNorm(layer(n) + secondNorm, epsilon)(middle))), weights };
  });
  const hidden = w.layerNorm(p(finalNorm), epsilon)(run.x);
  run.hiddenStates[2] = hidden;
  const logits = tied ? w.product(hidden, w.rows(p(`${embed}.weight`))) : w.dense(headName)(hidden);
  return [config, shapes, { ids }, { hidden, ...picked(run), logits }];
}

// Rows of a fused matrix: q, k and v side by side; of each head; of each group of query heads; or in CodeGen's four groups.
const sideBySide = ({ all, d, heads, kvHeads }) => [
  split(columns(all, 0, heads * d), heads),
  split(columns(all, heads * d, (heads + kvHeads) * d), kvHeads),
  split(columns(all, (heads + kvHeads) * d, (heads + 2 * kvHeads) * d), kvHeads),
];
const byGroup = ({ all, d, heads, kvHeads }) => {
  const queries = heads / kvHeads;
  const groups = split(all, kvHeads);
  return [
    groups.flatMap((group) => split(columns(group, 0, queries * d), queries)),
    groups.map((group) => columns(group, queries * d, (queries + 1) * d)),
    groups.map((group) => columns(group, (queries + 1) * d, (queries + 2) * d)),
  ];
};
const inFour = ({ all, d }) => {
  const groups = split(all, 4);
  const of = (index) => groups.map((group) => columns(group, index * d, (index + 1) * d));
  const [q, v, k] = [of(0), of(1), of(2)];
  return [q, k, v];
};

const bloomNames = {
  ...{ first: 'input_layernorm', second: 'post_attention_layernorm' },
  ...{ fused: 'self_attention.query_key_value', output: 'self_attention.dense' },
  ...{ up: 'mlp.dense_h_to_4h', down: 'mlp.dense_4h_to_h' },
};
const falcon = (more, how) =>
  gptLike(
    {
      ...{ model_type: 'falcon', vocab_size: 11, hidden_size: 16, num_hidden_layers: 2 },
      ...{ num_attention_heads: 4, ffn_hidden_size: 20, bias: false, alibi: false, ...more },
    },
    {
      ...{ width: 16, heads: 4, wide: 20, prefix: 'transformer.', at: (n) => `h.${n}.` },
      ...{ names: bloomNames, embed: 'word_embeddings', finalNorm: 'ln_f', activation: 'gelu' },
      ...{ bias: false, fused: byGroup, turn: turnHalves(frequencies(4, 10000)), ...how },
    },
  );

const bigcode = (isMultiQuery) =>
  gptLike(
    {
      ...{ model_type: 'gpt_bigcode', vocab_size: 11, n_embd: 8, n_layer: 2, n_head: 2 },
      ...{ n_positions: 10, n_inner: 12, activation_function: 'gelu_pytorch_tanh' },
      ...{ multi_query: isMultiQuery, layer_norm_epsilon: 1e-5 },
    },
    {
      ...{ width: 8, heads: 2, kvHeads: isMultiQuery ? 1 : 2, wide: 12, prefix: 'transformer.' },
      ...{ at: (n) => `h.${n}.`, embed: 'wte', finalNorm: 'ln_f', bias: true },
      ...{ activation: 'tanhGelu', fused: isMultiQuery ? sideBySide : byGroup, positions: 'wpe' },
      names: {
        ...{ first: 'ln_1', second: 'ln_2', fused: 'attn.c_attn', output: 'attn.c_proj' },
        ...{ up: 'mlp.c_fc', down: 'mlp.c_proj' },
      },
    },
  );

const gptjNames = {
  ...{ first: 'ln_1', separate: ['attn.q_proj', 'attn.k_proj', 'attn.v_proj'] },
  ...{ output: 'attn.out_proj', up: 'mlp.fc_in', down: 'mlp.fc_out', fused: 'attn.qkv_proj' },
};
const gptjLike = (type, heads, fused) =>
  gptLike(
    {
      ...{ model_type: type, vocab_size: 11, n_embd: 16, n_layer: 2, n_head: heads, n_inner: 20 },
      ...{ n_positions: 16, rotary_dim: 2, activation_function: 'gelu_new' },
      tie_word_embeddings: false,
    },
    {
      ...{ width: 16, heads, wide: 20, prefix: 'transformer.', at: (n) => `h.${n}.` },
      ...{ names: gptjNames, embed: 'wte', finalNorm: 'ln_f', activation: 'tanhGelu', bias: true },
      ...{ attentionBias: false, parallel: true, fused, turn: turnPairs([1]) },
      ...{ tied: false, headName: 'lm_head', headBias: true },
    },
  );

function mpt() {
  const config = {
    ...{ model_type: 'mpt', vocab_size: 11, d_model: 12, n_heads: 3, n_layers: 2 },
    ...{ expansion_ratio: 2, no_bias: true, attn_config: { alibi: true, alibi_bias_max: 8 } },
  };
  // Of four heads, 2^-2, 2^-4, 2^-6 and 2^-8: those of the second and fourth, then of the first.
  const slopes = [2 ** -4, 2 ** -8, 2 ** -2];
  return gptLike(config, {
    ...{ width: 12, heads: 3, wide: 24, prefix: 'transformer.', at: (n) => `blocks.${n}.` },
    ...{ embed: 'wte', finalNorm: 'norm_f', bias: false, normBias: false, activation: 'gelu' },
    ...{ fused: sideBySide, slope: (h) => slopes[h] },
    names: {
      ...{ first: 'norm_1', second: 'norm_2', fused: 'attn.Wqkv', output: 'attn.out_proj' },
      ...{ up: 'ffn.up_proj', down: 'ffn.down_proj' },
    },
  });
}

function opt(isSmall) {
  const embedWidth = isSmall ? 4 : 8;
  const config = {
    ...{ model_type: 'opt', vocab_size: 11, hidden_size: 8, word_embed_proj_dim: embedWidth },
    ...{ ffn_dim: 12, num_hidden_layers: 2, num_attention_heads: 2, max_position_embeddings: 8 },
    ...{ do_layer_norm_before: !isSmall, activation_function: 'relu', pad_token_id: 1 },
  };
  const p = 'model.decoder.';
  const shapes = {
    [`${p}embed_tokens.weight`]: [11, embedWidth],
    [`${p}embed_positions.weight`]: [10, 8],
    ...(isSmall
      ? {
          ...linearShapes(`${p}project_in`, 8, 4, false),
          ...linearShapes(`${p}project_out`, 4, 8, false),
        }
      : normShapes(`${p}final_layer_norm`, 8)),
    ...eachLayer(2, (n) => {
      const at = `${p}layers.${n}.`;
      return {
        ...Object.assign(
          {},
          ...['q', 'k', 'v', 'out'].map((part) =>
            linearShapes(`${at}self_attn.${part}_proj`, 8, 8),
          ),
        ),
        ...normShapes(`${at}self_attn_layer_norm`, 8),
        ...linearShapes(`${at}fc1`, 12, 8),
        ...linearShapes(`${at}fc2`, 8, 12),
        ...normShapes(`${at}final_layer_norm`, 8),
      };
    }),
  };
  const w = readers(shapes);
  const words = w.words(`${p}embed_tokens.weight`, ids);
  const places = w.rows(`${p}embed_positions.weight`);
  const projected = isSmall ? w.dense(`${p}project_in`)(words) : words;
  const run = stack(
    projected.map((row, i) => row.map((a, c) => a + places[i + 2][c])),
    2,
    (x, n) => {
      const at = `${p}layers.${n}.`;
      const [first, second] = ['self_attn_layer_norm', 'final_layer_norm'].map((name) =>
        w.layerNorm(at + name),
      );
      const y = isSmall ? x : first(x);
      const [q, k, v] = ['q', 'k', 'v'].map((part) =>
        split(w.dense(`${at}self_attn.${part}_proj`)(y), 2),
      );
      const { z, weights } = attend({ q, k, v });
      const sum1 = add(x, w.dense(`${at}self_attn.out_proj`)(z));
      const middle = isSmall ? first(sum1) : sum1;
      const feed = then(w.dense(`${at}fc1`), act('relu'), w.dense(`${at}fc2`));
      const last = add(middle, feed(isSmall ? middle : second(middle)));
      return { x: isSmall ? second(last) : last, weights };
    },
  );
  const hidden = isSmall
    ? w.dense(`${p}project_out`)(run.x)
    : w.layerNorm(`${p}final_layer_norm`)(run.x);
  run.hiddenStates[2] = hidden;
  const logits = w.product(hidden, w.rows(`${p}embed_tokens.weight`));
  return [config, shapes, { ids }, { hidden, ...picked(run), logits }];
}

// ---- encoders --------------------------------------------------------------------------------------

/** T5's bucket of a distance in both directions. */
function bucketOf(distance, buckets, longest) {
  const half = buckets / 2;
  const first = distance > 0 ? half : 0;
  const away = Math.abs(distance);
  const exact = half / 2;
  if (away < exact) return first + away;
  const share = Math.log(away / exact) / Math.log(longest / exact);
  return first + Math.min(half - 1, exact + Math.floor(share * (half - exact)));
}

/** BERT's relatives: width 8, 2 heads. */
function bertLike(type, prefix, more, how = {}) {
  const {
    preNorm = false,
    positions = 12,
    types = 1,
    own = {},
    tokens = [0, 7, 1, 12, 2, 5],
  } = how;
  const { first, turn = same, buckets, embedNorm = 'embeddings.LayerNorm', finalNorm, start } = how;
  const config = {
    ...{ model_type: type, vocab_size: 13, hidden_size: 8, num_hidden_layers: 2 },
    ...{ num_attention_heads: 2, intermediate_size: 12, max_position_embeddings: 12 },
    ...{ hidden_act: 'gelu', layer_norm_eps: 1e-5, pad_token_id: 1, ...more },
  };
  const names = {
    ...{ q: 'attention.self.query', k: 'attention.self.key', v: 'attention.self.value' },
    ...{ o: 'attention.output.dense', a: 'attention.output.LayerNorm', b: 'output.LayerNorm' },
    ...own,
  };
  const p = prefix;
  const at = (n) => `${p}encoder.layer.${n}.`;
  const shapes = {
    [`${p}embeddings.word_embeddings.weight`]: [13, 8],
    ...(positions && { [`${p}embeddings.position_embeddings.weight`]: [positions, 8] }),
    ...(types && { [`${p}embeddings.token_type_embeddings.weight`]: [types, 8] }),
    ...(embedNorm && normShapes(p + embedNorm, 8)),
    ...(finalNorm && normShapes(p + finalNorm, 8)),
    ...(buckets && { [`${p}encoder.relative_attention_bias.weight`]: [buckets, 2] }),
    ...eachLayer(2, (n) => ({
      ...Object.assign(
        {},
        ...'qkvo'.split('').map((part) => linearShapes(at(n) + names[part], 8, 8)),
      ),
      ...normShapes(at(n) + names.a, 8),
      ...normShapes(at(n) + names.b, 8),
      ...linearShapes(`${at(n)}intermediate.dense`, 12, 8),
      ...linearShapes(`${at(n)}output.dense`, 8, 12),
    })),
    ...linearShapes('lm_head.dense', 8, 8),
    ...normShapes('lm_head.layer_norm', 8),
    'lm_head.bias': [13],
  };
  const w = readers(shapes);
  const eps = config.layer_norm_eps;
  let x = w.words(`${p}embeddings.word_embeddings.weight`, tokens);
  if (start) x = start(x, tokens);
  if (positions) {
    let next = first ?? 2;
    const places = tokens.map((id) => (id === 1 ? 1 : next++));
    const table = w.rows(`${p}embeddings.position_embeddings.weight`);
    x = x.map((row, i) => row.map((a, c) => a + table[places[i]][c]));
  }
  if (types)
    x = x.map((row) =>
      row.map((a, c) => a + w.rows(`${p}embeddings.token_type_embeddings.weight`)[0][c]),
    );
  if (embedNorm) x = w.layerNorm(p + embedNorm, eps)(x);
  const table = buckets && w.rows(`${p}encoder.relative_attention_bias.weight`);
  const run = stack(x, 2, (input, n) => {
    const [one, two] = [names.a, names.b].map((name) => w.layerNorm(at(n) + name, eps));
    const y = preNorm ? one(input) : input;
    const [q, k, v] = ['q', 'k', 'v'].map((part) => split(w.dense(at(n) + names[part])(y), 2));
    const { z, weights } = attend({
      ...{ q: q.map(turn), k: k.map(turn), v, sees: everything },
      bias: buckets && ((h, i, j) => table[bucketOf(j - i, buckets, 128)][h]),
    });
    const attended = add(input, w.dense(at(n) + names.o)(z));
    const middle = preNorm ? attended : one(attended);
    const feed = then(
      w.dense(`${at(n)}intermediate.dense`),
      act('gelu'),
      w.dense(`${at(n)}output.dense`),
    );
    const last = add(middle, feed(preNorm ? two(middle) : middle));
    return { x: preNorm ? last : two(last), weights };
  });
  const hidden = finalNorm ? w.layerNorm(p + finalNorm, eps)(run.x) : run.x;
  run.hiddenStates[2] = hidden;
  const y = then(
    w.dense('lm_head.dense'),
    act('gelu'),
    w.layerNorm('lm_head.layer_norm', eps),
  )(hidden);
  const logits = w.product(
    y,
    w.rows(`${p}embeddings.word_embeddings.weight`),
    w.numbers('lm_head.bias'),
  );
  return [config, shapes, { ids: tokens }, { hidden, ...picked(run), logits }];
}

/** ESM: embeddings as in training, where 12 % of the tokens were masks, which are zeros. */
const esmStart = (mask) => (x, tokens) => {
  const masked = tokens.filter((id) => id === mask).length / tokens.length;
  return x.map((row, i) => row.map((a) => (tokens[i] === mask ? 0 : (a * 0.88) / (1 - masked))));
};
const esmNames = { a: 'attention.LayerNorm', b: 'LayerNorm' };
const esm = (more, how) =>
  bertLike(
    'esm',
    'esm.',
    { mask_token_id: 6, token_dropout: true, ...more },
    {
      ...{ preNorm: true, types: 0, own: esmNames, finalNorm: 'encoder.emb_layer_norm_after' },
      ...{ tokens: [0, 7, 6, 12, 2, 5], start: esmStart(6), ...how },
    },
  );

/** ModernBERT: 4 layers of width 8 and 2 heads; every third is global. */
function modernbert(more, how = {}) {
  const { hasBias = false, classes = 0 } = how;
  const config = {
    ...{ model_type: 'modernbert', vocab_size: 13, hidden_size: 8, num_hidden_layers: 4 },
    ...{ num_attention_heads: 2, intermediate_size: 6, norm_eps: 1e-5, local_attention: 4 },
    ...{ global_rope_theta: 1000, local_rope_theta: 10, hidden_activation: 'gelu', ...more },
  };
  const shapes = {
    'model.embeddings.tok_embeddings.weight': [13, 8],
    ...normShapes('model.embeddings.norm', 8, hasBias),
    ...normShapes('model.final_norm', 8, hasBias),
    ...eachLayer(4, (n) => {
      const at = `model.layers.${n}.`;
      return {
        ...(n > 0 && normShapes(`${at}attn_norm`, 8, hasBias)),
        ...linearShapes(`${at}attn.Wqkv`, 24, 8, hasBias),
        ...linearShapes(`${at}attn.Wo`, 8, 8, hasBias),
        ...normShapes(`${at}mlp_norm`, 8, hasBias),
        ...linearShapes(`${at}mlp.Wi`, 12, 8, hasBias),
        ...linearShapes(`${at}mlp.Wo`, 8, 6, hasBias),
      };
    }),
    ...linearShapes('head.dense', 8, 8, false),
    ...normShapes('head.norm', 8, hasBias),
    ...(classes ? linearShapes('classifier', classes, 8) : { 'decoder.bias': [13] }),
  };
  const w = readers(shapes);
  const tokens = [5, 1, 8, 11, 2, 6];
  const start = w.layerNorm('model.embeddings.norm')(
    w.words('model.embeddings.tok_embeddings.weight', tokens),
  );
  const run = stack(start, 4, (x, n) => {
    const at = `model.layers.${n}.`;
    const isLocal = n % 3 !== 0;
    const y = n > 0 ? w.layerNorm(`${at}attn_norm`)(x) : x;
    const turn = turnHalves(frequencies(4, isLocal ? 10 : 1000));
    const [q, k, v] = sideBySide({ all: w.dense(`${at}attn.Wqkv`)(y), d: 4, heads: 2, kvHeads: 2 });
    const { z, weights } = attend({
      ...{ q: q.map(turn), k: k.map(turn), v },
      sees: isLocal ? (i, j) => Math.abs(i - j) <= 2 : everything,
    });
    const middle = add(x, w.dense(`${at}attn.Wo`)(z));
    const both = w.dense(`${at}mlp.Wi`)(w.layerNorm(`${at}mlp_norm`)(middle));
    const gated = times(act('gelu')(columns(both, 0, 6)), columns(both, 6, 12));
    return { x: add(middle, w.dense(`${at}mlp.Wo`)(gated)), weights };
  });
  const hidden = w.layerNorm('model.final_norm')(run.x);
  run.hiddenStates[4] = hidden;
  const mean = [hidden[0].map((_, c) => sum(hidden.map((row) => row[c])) / hidden.length)];
  const y = then(
    w.dense('head.dense'),
    act('gelu'),
    w.layerNorm('head.norm'),
  )(classes ? mean : hidden);
  const logits = classes
    ? w.dense('classifier')(y)[0]
    : w.product(y, w.rows('model.embeddings.tok_embeddings.weight'), w.numbers('decoder.bias'));
  return [config, shapes, { ids: tokens }, { hidden, ...picked(run), logits }];
}

/** Log buckets of DeBERTa: exact below half of them, and the sign of the difference. */
const signedBucket = (difference, buckets, farthest) => {
  const half = buckets / 2;
  const away = Math.abs(difference);
  if (away <= half) return difference;
  const share = Math.log(away / half) / Math.log((farthest - 1) / half);
  return Math.sign(difference) * (half + Math.ceil(share * (half - 1)));
};

/** DeBERTa v2: 2 layers of width 8 and 2 heads. span: half of the rows of the table; head: names of the language model. */
function deberta(more, how = {}) {
  const { terms = ['c2p', 'p2c'], shared = true, buckets, span, types = 0 } = how;
  const { normed = true, positions = false, classes = 0, farthest, head } = how;
  const config = {
    ...{ model_type: 'deberta-v2', vocab_size: 13, hidden_size: 8, num_hidden_layers: 2 },
    ...{ num_attention_heads: 2, intermediate_size: 12, max_position_embeddings: 12 },
    ...{ hidden_act: 'gelu', layer_norm_eps: 1e-5, pad_token_id: 0, relative_attention: true },
    ...{ max_relative_positions: farthest, position_biased_input: positions },
    ...{ type_vocab_size: types, share_att_key: shared, ...more },
  };
  const at = (n) => `deberta.encoder.layer.${n}.`;
  const part = { q: 'query_proj', k: 'key_proj', v: 'value_proj', pk: 'pos_key_proj' };
  part.pq = 'pos_query_proj';
  const name = (n, which) => `${at(n)}attention.self.${part[which]}`;
  const own = shared
    ? []
    : ['pk', 'pq'].filter((_, index) => terms.includes(['c2p', 'p2c'][index]));
  const words = 'deberta.embeddings.word_embeddings.weight';
  const shapes = {
    [words]: [13, 8],
    ...(positions && { 'deberta.embeddings.position_embeddings.weight': [12, 8] }),
    ...(types && { 'deberta.embeddings.token_type_embeddings.weight': [types, 8] }),
    ...normShapes('deberta.embeddings.LayerNorm', 8),
    'deberta.encoder.rel_embeddings.weight': [2 * span, 8],
    ...(normed && normShapes('deberta.encoder.LayerNorm', 8)),
    ...eachLayer(2, (n) => ({
      ...Object.assign(
        {},
        ...['q', 'k', 'v', ...own].map((which) => linearShapes(name(n, which), 8, 8)),
      ),
      ...linearShapes(`${at(n)}attention.output.dense`, 8, 8),
      ...normShapes(`${at(n)}attention.output.LayerNorm`, 8),
      ...linearShapes(`${at(n)}intermediate.dense`, 12, 8),
      ...linearShapes(`${at(n)}output.dense`, 8, 12),
      ...normShapes(`${at(n)}output.LayerNorm`, 8),
    })),
    ...(classes
      ? { ...linearShapes('pooler.dense', 8, 8), ...linearShapes('classifier', classes, 8) }
      : {
          ...linearShapes(`${head}dense`, 8, 8),
          ...normShapes(`${head}LayerNorm`, 8),
          [head.replace('transform.', '') + 'bias']: [13],
        }),
  };
  const w = readers(shapes);
  const tokens = [0, 7, 1, 12, 2, 5, 9, 3, 11, 4];
  let x = w.words(words, tokens);
  const addRows = (rows) => (x = x.map((row, i) => row.map((a, c) => a + rows(i)[c])));
  if (positions) addRows((i) => w.rows('deberta.embeddings.position_embeddings.weight')[i]);
  if (types) addRows(() => w.rows('deberta.embeddings.token_type_embeddings.weight')[0]);
  x = w.layerNorm('deberta.embeddings.LayerNorm')(x);
  const table = w.rows('deberta.encoder.rel_embeddings.weight');
  const relative = normed ? w.layerNorm('deberta.encoder.LayerNorm')(table) : table;
  const rowOf = (i, j) => {
    const bucket = buckets ? signedBucket(i - j, buckets, farthest) : i - j;
    return Math.min(Math.max(bucket + span, 0), 2 * span - 1);
  };
  const scale = 1 / Math.sqrt(4 * (1 + terms.length));
  const run = stack(x, 2, (input, n) => {
    const of = (which, rows) => split(w.dense(name(n, which))(rows), 2);
    const [q, k, v] = ['q', 'k', 'v'].map((which) => of(which, input));
    const keys = terms.includes('c2p') && of(shared ? 'k' : 'pk', relative);
    const queries = terms.includes('p2c') && of(shared ? 'q' : 'pq', relative);
    const bias = (h, i, j) =>
      scale *
      ((keys ? dot(q[h][i], keys[h][rowOf(i, j)]) : 0) +
        (queries ? dot(k[h][j], queries[h][rowOf(i, j)]) : 0));
    const { z, weights } = attend({ q, k, v, scale, sees: everything, bias });
    const attended = add(input, w.dense(`${at(n)}attention.output.dense`)(z));
    const middle = w.layerNorm(`${at(n)}attention.output.LayerNorm`)(attended);
    const wide = act('gelu')(w.dense(`${at(n)}intermediate.dense`)(middle));
    const sums = add(middle, w.dense(`${at(n)}output.dense`)(wide));
    return { x: w.layerNorm(`${at(n)}output.LayerNorm`)(sums), weights };
  });
  const hidden = run.x;
  const logits = classes
    ? then(w.dense('pooler.dense'), act('gelu'), w.dense('classifier'))([hidden[0]])[0]
    : w.product(
        then(w.dense(`${head}dense`), act('gelu'), w.layerNorm(`${head}LayerNorm`))(hidden),
        w.rows(words),
        w.numbers(`${head.replace('transform.', '')}bias`),
      );
  return [config, shapes, { ids: tokens }, { hidden, ...picked(run), logits }];
}

// ---- writing ---------------------------------------------------------------------------------------

const cases = () => ({
  starcoder2: llamaLike(
    'starcoder2',
    { norm_epsilon: 1e-5, sliding_window: 3, use_bias: true, hidden_act: 'gelu_pytorch_tanh' },
    {
      ...{ bias: true, norm: 'layer', normBias: true, epsilon: 1e-5, mlp: 'plain', windows: 3 },
      activation: 'tanhGelu',
    },
  ),
  phi3: llamaLike(
    'phi3',
    { rms_norm_eps: 1e-5, partial_rotary_factor: 0.5, rope_theta: 100, sliding_window: 4 },
    {
      ...{ fused: true, epsilon: 1e-5, rotated: 2, base: 100, windows: 4 },
    },
  ),
  gemma: llamaLike(
    'gemma',
    { rms_norm_eps: 1e-6, hidden_act: 'gelu', tie_word_embeddings: true },
    {
      ...{ tied: true, offset: 1, embedScale: Math.sqrt(8), activation: 'tanhGelu' },
    },
  ),
  gemma2: normsBehind(
    'gemma2',
    {
      ...{ sliding_window: 3, query_pre_attn_scalar: 9, attn_logit_softcapping: 2 },
      ...{ final_logit_softcapping: 3, hidden_activation: 'gelu_pytorch_tanh' },
    },
    { scale: 1 / 3, cap: 2, finalCap: 3, windows: (n) => (n % 2 === 0 ? 3 : undefined) },
  ),
  gemma3_text: normsBehind(
    'gemma3_text',
    {
      ...{ sliding_window: 3, sliding_window_pattern: 2, query_pre_attn_scalar: 16 },
      ...{ rope_theta: 1000, rope_local_base_freq: 10, final_logit_softcapping: null },
    },
    {
      ...{ headNorms: 'of heads', scale: 0.25, windows: (n) => (n % 2 === 0 ? 3 : undefined) },
      base: (n) => (n % 2 === 0 ? 10 : 1000),
    },
  ),
  olmo2: normsBehind(
    'olmo2',
    { hidden_act: 'silu', rope_theta: 100 },
    {
      ...{ gemma: false, headNorms: 'over heads', epsilon: 1e-5, activation: 'silu' },
      base: () => 100,
    },
  ),
  granite: llamaLike(
    'granite',
    {
      ...{ rms_norm_eps: 1e-6, embedding_multiplier: 3, attention_multiplier: 0.25 },
      ...{ residual_multiplier: 0.5, logits_scaling: 4 },
    },
    { embedScale: 3, scale: 0.25, residual: 0.5, logitScale: 0.25 },
  ),
  smollm3: llamaLike(
    'smollm3',
    { rms_norm_eps: 1e-6, no_rope_layers: [0, 1], rope_theta: 1000 },
    { rope: (n) => n === 1, base: 1000 },
  ),
  stablelm: llamaLike(
    'stablelm',
    { layer_norm_eps: 1e-5, use_qkv_bias: true, partial_rotary_factor: 0.5 },
    { norm: 'layer', normBias: true, qkvBias: true, epsilon: 1e-5, rotated: 2 },
  ),
  'stablelm, parallel': llamaLike(
    'stablelm',
    { layer_norm_eps: 1e-5, use_parallel_residual: true, partial_rotary_factor: 0.5 },
    { norm: 'layer', normBias: true, parallel: true, epsilon: 1e-5, rotated: 2 },
  ),
  cohere: llamaLike(
    'cohere',
    { layer_norm_eps: 1e-5, logit_scale: 0.5, tie_word_embeddings: true },
    {
      ...{
        norm: 'layer',
        parallel: true,
        epsilon: 1e-5,
        tied: true,
        logitScale: 0.5,
        turn: turnPairs,
      },
    },
  ),
  opt: opt(false),
  'opt, projected': opt(true),
  bloom: gptLike(
    { model_type: 'bloom', vocab_size: 11, hidden_size: 12, n_layer: 2, n_head: 3 },
    {
      ...{ width: 12, heads: 3, wide: 48, prefix: 'transformer.', at: (n) => `h.${n}.` },
      ...{ names: bloomNames, embed: 'word_embeddings', embedNorm: 'word_embeddings_layernorm' },
      ...{ finalNorm: 'ln_f', bias: true, activation: 'tanhGelu', fused: byGroup },
      slope: (h) => slopesOf(3)[h],
    },
  ),
  falcon: falcon({ multi_query: true, parallel_attn: true }, { kvHeads: 1, parallel: true }),
  'falcon, groups': falcon(
    { new_decoder_architecture: true, num_kv_heads: 2 },
    {
      kvHeads: 2,
      parallel: true,
      secondNorm: 'ln_mlp',
      names: { ...bloomNames, first: 'ln_attn' },
    },
  ),
  'falcon, alibi': falcon(
    { multi_query: false, parallel_attn: false, alibi: true, bias: true },
    { bias: true, turn: same, slope: (h) => slopesOf(4)[h] / 2 },
  ),
  mpt: mpt(),
  gpt_bigcode: bigcode(true),
  'gpt_bigcode, all heads': bigcode(false),
  gptj: gptjLike('gptj', 2),
  codegen: gptjLike('codegen', 4, inFour),
  camembert: bertLike('camembert', 'roberta.', { type_vocab_size: 1 }),
  'roberta-prelayernorm': bertLike(
    'roberta-prelayernorm',
    'roberta_prelayernorm.',
    { type_vocab_size: 1 },
    {
      ...{ preNorm: true, finalNorm: 'LayerNorm' },
      own: { a: 'attention.LayerNorm', b: 'intermediate.LayerNorm' },
    },
  ),
  mpnet: bertLike(
    'mpnet',
    'mpnet.',
    { relative_attention_num_buckets: 8 },
    {
      ...{ types: 0, buckets: 8 },
      own: {
        ...{ q: 'attention.attn.q', k: 'attention.attn.k', v: 'attention.attn.v' },
        ...{ o: 'attention.attn.o', a: 'attention.LayerNorm' },
      },
    },
  ),
  modernbert: modernbert({ architectures: ['ModernBertForMaskedLM'] }),
  'modernbert, biases, classes': modernbert(
    {
      ...{ norm_bias: true, attention_bias: true, mlp_bias: true, classifier_pooling: 'mean' },
      architectures: ['ModernBertForSequenceClassification'],
    },
    { hasBias: true, classes: 3 },
  ),
  'deberta-v2': deberta(
    { position_buckets: 4, pos_att_type: ['p2c', 'c2p'], norm_rel_ebd: 'layer_norm' },
    { buckets: 4, span: 4, farthest: 8, head: 'cls.predictions.transform.' },
  ),
  'deberta-v2, own projections, classes': deberta(
    { pos_att_type: 'c2p|p2c', architectures: ['DebertaV2ForSequenceClassification'] },
    {
      ...{ shared: false, normed: false, positions: true, types: 2 },
      span: 3,
      farthest: 3,
      classes: 3,
    },
  ),
  'deberta-v2, one term': deberta(
    { position_buckets: 6, pos_att_type: ['p2c'], norm_rel_ebd: 'layer_norm', legacy: false },
    {
      ...{ terms: ['p2c'], shared: false, buckets: 6, span: 6, farthest: 9 },
      head: 'lm_predictions.lm_head.',
    },
  ),
  esm: esm(
    { position_embedding_type: 'rotary' },
    {
      ...{ positions: 0, embedNorm: null, turn: turnHalves(frequencies(4, 10000)) },
    },
  ),
  'esm, positions': esm(
    { position_embedding_type: 'absolute', emb_layer_norm_before: true },
    {
      embedNorm: 'embeddings.layer_norm',
    },
  ),
});

const dimsOf = (x) => (Array.isArray(x) ? [x.length, ...dimsOf(x[0])] : []);
const written = (x) => ({
  dims: dimsOf(x),
  data: x.flat(Infinity).map((value) => Number(value.toPrecision(7))),
});

/** Results with int8 weights, by name, where float32 rounds as float64. */
function hiddenOfInt8() {
  int8.isOn = true;
  int8.margins = [];
  const found = Object.entries(cases()).map(([name, [, , , { hidden }]]) => [name, hidden]);
  int8.isOn = false;
  return Object.fromEntries(found.filter((_, n) => int8.margins[n] > 5e-4));
}

const rounding = hiddenOfInt8();
const lines = Object.entries(cases()).map(([name, [config, shapes, input, expected]]) => {
  const results = Object.entries(expected).map(([key, value]) => [
    key,
    key === 'attentions' || key === 'hiddenStates' ? value.map(written) : written(value),
  ]);
  const one = {
    ...{ config, shapes, input, expected: Object.fromEntries(results) },
    ...(rounding[name] && { int8: { hidden: written(rounding[name]) } }),
  };
  return `${JSON.stringify(name)}: ${JSON.stringify(one)}`;
});
writeFileSync(new URL('model_families.json', import.meta.url), `{\n${lines.join(',\n')}\n}\n`);

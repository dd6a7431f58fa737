// Layers of more families for the oracle of models (oracle_model.js), from their papers and published configs: relatives of
// Llama, of GPT-2 and of BERT, which differ in the facts that these tables name.
import { each, identity, linear, range, then } from './oracle_parts.js';
import { scaledRotary } from './oracle_rotary_scaling.js';

const columns = (x, first, last) => x.map((row) => row.slice(first, last));
const both = (x, y) => x.map((row, i) => row.map((a, c) => a * y[i][c]));

const frequencies = (width, base) => range(width / 2).map((i) => base ** ((-2 * i) / width));

/** Turns each row of a head by its position; pairOf: the two columns of a frequency; factor: on cosines and sines. */
const turned =
  (turns, pairOf, factor = 1) =>
  (head) =>
    head.map((row, p) => {
      const result = [...row];
      turns.forEach((frequency, i) => {
        const [a, b] = pairOf(i, turns.length);
        const [cos, sin] = [factor * Math.cos(p * frequency), factor * Math.sin(p * frequency)];
        result[a] = row[a] * cos - row[b] * sin;
        result[b] = row[a] * sin + row[b] * cos;
      });
      return result;
    });
const halves = (i, half) => [i, i + half];
const adjacent = (i) => [2 * i, 2 * i + 1];

const normOf = (w, kind, epsilon) => (name) => {
  const weight = w.numbers(`${name}.weight`);
  if (!weight) return undefined;
  const bias = w.numbers(`${name}.bias`);
  return (x) =>
    x.map((row) => {
      const mean = kind === 'layer' ? row.reduce((a, b) => a + b, 0) / row.length : 0;
      const square = row.reduce((total, a) => total + (a - mean) ** 2, 0) / row.length;
      const size = Math.sqrt(square + epsilon);
      const offset = kind === 'rms with 1 + weight' ? 1 : 0;
      return row.map((a, c) => ((a - mean) / size) * (weight[c] + offset) + (bias?.[c] ?? 0));
    });
};

// ---- relatives of Llama ----------------------------------------------------------------------------

const within = (window) => window && ((i, j) => j <= i && j > i - window);

const thetaOf = (c) => c.rope_parameters?.rope_theta ?? c.rope_theta ?? 10_000;

// Facts by type, functions of the config: norm, epsilon, activation, width that is rotated, base, scale, window, residual,
// cap, …; of a layer where they have a second argument.
const llamas = {
  llama: { base: thetaOf },
  mistral: { base: thetaOf, window: (c) => c.sliding_window },
  qwen2: {
    base: thetaOf,
    window: (c, n) => {
      const isLocal = c.layer_types
        ? c.layer_types[n] === 'sliding_attention'
        : n >= c.max_window_layers;
      return isLocal ? c.sliding_window : undefined;
    },
  },
  gemma: { norm: 'rms with 1 + weight', activation: 'gelu_tanh' },
  phi3: {
    ...{ isFused: true, base: (c) => c.rope_theta, window: (c) => c.sliding_window },
    rotated: (c) => c.head_dim * c.partial_rotary_factor,
  },
  starcoder2: {
    norm: 'layer',
    activation: 'gelu_tanh',
    isPlain: true,
    window: (c) => c.sliding_window,
  },
  granite: { scale: (c) => c.attention_multiplier, residual: (c) => c.residual_multiplier },
  smollm3: { base: (c) => c.rope_theta, turns: (c, n) => c.no_rope_layers[n] === 1 },
  stablelm: {
    ...{ norm: 'layer', rotated: (c) => c.head_dim * c.partial_rotary_factor },
    isParallel: (c) => c.use_parallel_residual === true,
  },
  cohere: { norm: 'layer', isParallel: () => true, pairs: adjacent },
  gemma2: {
    ...{ norm: 'rms with 1 + weight', activation: 'gelu_tanh', isSandwich: true },
    ...{ scale: (c) => c.query_pre_attn_scalar ** -0.5, cap: (c) => c.attn_logit_softcapping },
    window: (c, n) => (n % 2 === 0 ? c.sliding_window : undefined),
  },
  gemma3_text: {
    ...{ norm: 'rms with 1 + weight', activation: 'gelu_tanh', isSandwich: true, headNorms: 'own' },
    scale: (c) => c.query_pre_attn_scalar ** -0.5,
    window: (c, n) => (n % 2 === 0 ? c.sliding_window : undefined),
    base: (c, n) => (n % 2 === 0 ? c.rope_local_base_freq : c.rope_theta),
  },
  olmo2: { base: (c) => c.rope_theta, isBehind: true, headNorms: 'over heads' },
};

const epsilonOf = (c) => c.rms_norm_eps ?? c.layer_norm_eps ?? c.norm_epsilon;

function llamaLayer(c, w, n) {
  const facts = llamas[c.model_type];
  const { norm: kind = 'rms', activation = 'silu', pairs = halves, isFused, isPlain } = facts;
  const { isSandwich, isBehind, headNorms, turns = () => true } = facts;
  const fact = (name, otherwise) => facts[name]?.(c, n) ?? otherwise;
  const at = `model.layers.${n}.`;
  const own = `${at}self_attn.`;
  const norm = normOf(w, kind, epsilonOf(c));
  const [heads, kvHeads, d] = [c.num_attention_heads, c.num_key_value_heads, c.head_dim];
  const window = fact('window');
  const plain = { width: fact('rotated', d), theta: fact('base', 10_000) };
  const scaled = scaledRotary(c, plain);
  const turn = turned(scaled.frequencies, pairs, scaled.attentionFactor);
  const ready = turns(c, n) ? turn : identity;
  const projection = (name, first, last) => {
    if (isFused) return (x) => columns(w.dense(`${own}qkv_proj`)(x), first * d, last * d);
    const whole = w.dense(`${own}${name}_proj`);
    const behind = headNorms === 'over heads' && norm(`${own}${name}_norm`);
    return behind ? then(whole, behind) : whole;
  };
  const ofHead = (name) => (headNorms === 'own' ? then(norm(`${own}${name}_norm`), ready) : ready);
  const gated = (x) => {
    const all = isFused && w.dense(`${at}mlp.gate_up_proj`)(x);
    const gate = isFused ? columns(all, 0, c.intermediate_size) : w.dense(`${at}mlp.gate_proj`)(x);
    const up = isFused ? columns(all, c.intermediate_size) : w.dense(`${at}mlp.up_proj`)(x);
    return w.dense(`${at}mlp.down_proj`)(both(each(activation)(gate), up));
  };
  const ungated = (x) => w.dense(`${at}mlp.c_proj`)(each(activation)(w.dense(`${at}mlp.c_fc`)(x)));
  const residual = fact('residual');
  const factors = residual && Array(c.hidden_size).fill(residual);
  const isParallel = fact('isParallel', false);
  const first = norm(`${at}input_layernorm`);
  const after = norm(`${at}post_attention_layernorm`);
  const behind = isSandwich || isBehind;
  return {
    isParallel,
    norms: {
      self: first,
      mlp: behind ? norm(`${at}pre_feedforward_layernorm`) : isParallel ? (after ?? first) : after,
    },
    outputNorms: behind && { self: after, mlp: norm(`${at}post_feedforward_layernorm`) },
    scales: { self: factors, mlp: factors },
    self: {
      q: projection('q', 0, heads),
      k: projection('k', heads, heads + kvHeads),
      v: projection('v', heads + kvHeads, heads + 2 * kvHeads),
      output: w.output(`${own}o_proj`),
      ...{ heads, kvHeads, isCausal: true, sees: within(window) },
      ...{ scale: fact('scale'), cap: fact('cap'), readyQuery: ofHead('q'), readyKey: ofHead('k') },
    },
    mlp: isPlain ? ungated : gated,
  };
}

// ---- relatives of GPT-2 ----------------------------------------------------------------------------

/** Rows of a fused matrix: query, key and value side by side, or of each group of query heads. */
const sideBySide = ({ d, heads, kvHeads }) => {
  const ends = [0, heads * d, (heads + kvHeads) * d, (heads + 2 * kvHeads) * d];
  return range(3).map((index) => (x) => columns(x, ends[index], ends[index + 1]));
};
const byGroup = ({ d, heads, kvHeads }) => {
  const queries = heads / kvHeads;
  const ends = [0, queries * d, (queries + 1) * d, (queries + 2) * d];
  return range(3).map(
    (index) => (x) =>
      x.map((row) =>
        range(kvHeads).flatMap((group) => {
          const begin = group * (queries + 2) * d;
          return row.slice(begin + ends[index], begin + ends[index + 1]);
        }),
      ),
  );
};
/** CodeGen: four groups, each query, value, key. */
const inFour = ({ d, heads }) => {
  const part = (heads / 4) * d;
  return [0, 2, 1].map(
    (index) => (x) =>
      x.map((row) =>
        range(4).flatMap((group) =>
          row.slice((3 * group + index) * part, (3 * group + index + 1) * part),
        ),
      ),
  );
};

// Slopes of ALiBi for three and four heads.
const slopes = { 3: [2 ** -4, 2 ** -8, 2 ** -2], 4: [2 ** -2, 2 ** -4, 2 ** -6, 2 ** -8] };
const alibi = (of) => (h, i, j) => of[h] * (j - i);

const bloomNames = {
  ...{ at: (n) => `transformer.h.${n}.`, first: 'input_layernorm' },
  ...{ second: 'post_attention_layernorm', fused: 'self_attention.query_key_value' },
  ...{ output: 'self_attention.dense', up: 'mlp.dense_h_to_4h', down: 'mlp.dense_4h_to_h' },
};
const gptjNames = {
  ...{ at: (n) => `transformer.h.${n}.`, first: 'ln_1', output: 'attn.out_proj' },
  ...{ up: 'mlp.fc_in', down: 'mlp.fc_out', separate: (name) => `attn.${name}_proj` },
};
const gpts = {
  bloom: (c) => ({
    ...{ ...bloomNames, heads: c.n_head, activation: 'gelu_tanh', rows: byGroup },
    bias: alibi(slopes[c.n_head]),
  }),
  falcon(c) {
    const groups = c.new_decoder_architecture ? c.num_kv_heads : undefined;
    const heads = c.num_attention_heads;
    return {
      ...{ ...bloomNames, heads, kvHeads: groups ?? (c.multi_query ? 1 : heads), rows: byGroup },
      ...{ activation: 'gelu', isParallel: c.parallel_attn || groups !== undefined },
      ...(groups && { first: 'ln_attn', second: 'ln_mlp' }),
      ...(c.alibi
        ? { bias: alibi(slopes[heads].map((slope) => slope / 2)) }
        : { turn: turned(frequencies(c.hidden_size / heads, 10_000), halves) }),
    };
  },
  mpt: (c) => ({
    ...{ at: (n) => `transformer.blocks.${n}.`, first: 'norm_1', second: 'norm_2' },
    ...{ fused: 'attn.Wqkv', output: 'attn.out_proj', up: 'ffn.up_proj', down: 'ffn.down_proj' },
    ...{ heads: c.n_heads, activation: 'gelu', rows: sideBySide, bias: alibi(slopes[c.n_heads]) },
  }),
  gpt_bigcode: (c) => ({
    ...{ at: (n) => `transformer.h.${n}.`, first: 'ln_1', second: 'ln_2', fused: 'attn.c_attn' },
    ...{ output: 'attn.c_proj', up: 'mlp.c_fc', down: 'mlp.c_proj', activation: 'gelu_tanh' },
    ...{ heads: c.n_head, kvHeads: c.multi_query ? 1 : c.n_head },
    rows: c.multi_query ? sideBySide : byGroup,
  }),
  gptj: (c) => ({
    ...{ ...gptjNames, heads: c.n_head, activation: 'gelu_tanh', isParallel: true },
    turn: turned(frequencies(c.rotary_dim, 10_000), adjacent),
  }),
  codegen: (c) => ({
    ...{ ...gptjNames, heads: c.n_head, activation: 'gelu_tanh', isParallel: true, rows: inFour },
    ...{ fused: 'attn.qkv_proj', separate: undefined },
    turn: turned(frequencies(c.rotary_dim, 10_000), adjacent),
  }),
  phi: (c) => ({
    ...{ at: (n) => `model.layers.${n}.`, first: 'input_layernorm', output: 'self_attn.dense' },
    ...{ heads: c.num_attention_heads, kvHeads: c.num_key_value_heads, isParallel: true },
    ...{ separate: (name) => `self_attn.${name}_proj`, up: 'mlp.fc1', down: 'mlp.fc2' },
    activation: 'gelu_tanh',
    turn: turned(
      frequencies((c.hidden_size / c.num_attention_heads) * c.partial_rotary_factor, c.rope_theta),
      halves,
    ),
  }),
  gpt_neo: (c) => ({
    ...{ at: (n) => `transformer.h.${n}.`, first: 'ln_1', second: 'ln_2', heads: c.num_heads },
    ...{ separate: (name) => `attn.attention.${name}_proj`, output: 'attn.attention.out_proj' },
    ...{ up: 'mlp.c_fc', down: 'mlp.c_proj', activation: 'gelu_tanh', scale: 1 },
    // attention_types of the fixture: global, then local.
    sees: (n) => (n % 2 === 1 ? within(c.window_size) : undefined),
  }),
  opt: (c) => ({
    ...{ at: (n) => `model.decoder.layers.${n}.`, heads: c.num_attention_heads },
    ...{ first: 'self_attn_layer_norm', second: 'final_layer_norm', up: 'fc1', down: 'fc2' },
    ...{ separate: (name) => `self_attn.${name}_proj`, output: 'self_attn.out_proj' },
    ...{ activation: 'relu', isPostNorm: !c.do_layer_norm_before },
  }),
};

function gptLayer(c, w, n) {
  const facts = gpts[c.model_type](c);
  const { heads, kvHeads = heads, fused, rows, turn = identity, bias, isParallel } = facts;
  const at = facts.at(n);
  const norm = normOf(w, 'layer', 1e-5);
  const width = c.hidden_size ?? c.n_embd ?? c.d_model;
  const parts = rows?.({ d: width / heads, heads, kvHeads });
  const part = (index) =>
    fused
      ? then(w.dense(at + fused), parts[index])
      : w.dense(at + facts.separate(['q', 'k', 'v'][index]));
  const first = norm(at + facts.first);
  return {
    ...{ isParallel, isPostNorm: facts.isPostNorm },
    norms: { self: first, mlp: (facts.second && norm(at + facts.second)) ?? first },
    self: {
      ...{ q: part(0), k: part(1), v: part(2), output: w.output(at + facts.output) },
      ...{ heads, kvHeads, isCausal: true, bias, readyQuery: turn, readyKey: turn },
      ...{ scale: facts.scale, sees: facts.sees?.(n) },
    },
    mlp: then(w.dense(at + facts.up), each(facts.activation), w.dense(at + facts.down)),
  };
}

// ---- relatives of BERT -----------------------------------------------------------------------------

const bertNames = {
  ...{ q: 'attention.self.query', k: 'attention.self.key', v: 'attention.self.value' },
  ...{ o: 'attention.output.dense', self: 'attention.output.LayerNorm', mlp: 'output.LayerNorm' },
};
const mpnetNames = {
  ...{ q: 'attention.attn.q', k: 'attention.attn.k', v: 'attention.attn.v' },
  ...{ o: 'attention.attn.o', self: 'attention.LayerNorm', mlp: 'output.LayerNorm' },
};
const distilbertNames = {
  ...{ q: 'attention.q_lin', k: 'attention.k_lin', v: 'attention.v_lin', o: 'attention.out_lin' },
  ...{ self: 'sa_layer_norm', mlp: 'output_layer_norm', up: 'ffn.lin1', down: 'ffn.lin2' },
};
const ofRoberta = { prefix: 'roberta.', isPostNorm: true, names: bertNames };
const berts = {
  roberta: ofRoberta,
  'xlm-roberta': ofRoberta,
  electra: { prefix: 'electra.', isPostNorm: true, names: bertNames },
  distilbert: {
    ...{ prefix: 'distilbert.', layers: 'transformer.layer.', isPostNorm: true },
    names: distilbertNames,
  },
  camembert: ofRoberta,
  'roberta-prelayernorm': {
    ...{ prefix: 'roberta_prelayernorm.' },
    names: { ...bertNames, self: 'attention.LayerNorm', mlp: 'intermediate.LayerNorm' },
  },
  mpnet: { prefix: 'mpnet.', isPostNorm: true, names: mpnetNames, hasBuckets: true },
  esm: { prefix: 'esm.', names: { ...bertNames, self: 'attention.LayerNorm', mlp: 'LayerNorm' } },
};

/** T5's bucket of a distance in both directions. */
function bucketOf(distance, buckets, longest) {
  const half = buckets / 2;
  const away = Math.abs(distance);
  const exact = half / 2;
  const share = away < exact ? 0 : Math.log(away / exact) / Math.log(longest / exact);
  const own = away < exact ? away : Math.min(half - 1, exact + Math.floor(share * (half - exact)));
  return own + (distance > 0 ? half : 0);
}

function bertLayer(c, w, n) {
  const { prefix, layers = 'encoder.layer.', isPostNorm, names, hasBuckets } = berts[c.model_type];
  const { up = 'intermediate.dense', down = 'output.dense' } = names;
  const at = `${prefix}${layers}${n}.`;
  const norm = normOf(w, 'layer', c.layer_norm_eps ?? 1e-12);
  const heads = c.num_attention_heads ?? c.n_heads;
  const table = hasBuckets && w.rows(`${prefix}encoder.relative_attention_bias.weight`);
  const isRotated = c.position_embedding_type === 'rotary';
  const turn = isRotated ? turned(frequencies(c.hidden_size / heads, 10_000), halves) : identity;
  const part = (name) => w.dense(at + names[name]);
  return {
    isPostNorm,
    norms: { self: norm(at + names.self), mlp: norm(at + names.mlp) },
    self: {
      ...{ q: part('q'), k: part('k'), v: part('v'), output: w.output(at + names.o), heads },
      ...{ readyQuery: turn, readyKey: turn },
      bias: table ? (h, i, j) => table[bucketOf(j - i, table.length, 128)][h] : undefined,
    },
    mlp: then(w.dense(at + up), each('gelu'), w.dense(at + down)),
  };
}

function modernbert(c, w, n) {
  const at = `model.layers.${n}.`;
  const norm = normOf(w, 'layer', c.norm_eps);
  const isLocal = n % 3 !== 0;
  const { num_attention_heads: heads, hidden_size: width, intermediate_size: wide } = c;
  const d = width / heads;
  const base = isLocal ? c.local_rope_theta : c.global_rope_theta;
  const turn = turned(frequencies(d, base), halves);
  const parts = sideBySide({ d, heads, kvHeads: heads });
  const [q, k, v] = parts.map((part) => then(w.dense(`${at}attn.Wqkv`), part));
  const gated = (x) => {
    const all = w.dense(`${at}mlp.Wi`)(x);
    return both(each('gelu')(columns(all, 0, wide)), columns(all, wide));
  };
  return {
    norms: { self: norm(`${at}attn_norm`), mlp: norm(`${at}mlp_norm`) },
    self: {
      ...{ q, k, v, output: w.output(`${at}attn.Wo`), heads, readyQuery: turn, readyKey: turn },
      sees: isLocal ? (i, j) => Math.abs(i - j) <= c.local_attention / 2 : undefined,
    },
    mlp: then(gated, w.dense(`${at}mlp.Wo`)),
  };
}

const ofEach = (table, layer) =>
  Object.fromEntries(Object.keys(table).map((type) => [type, layer]));

/** The layer of each model type: a function of config, weights and index. */
export const moreFamilies = {
  ...ofEach(llamas, llamaLayer),
  ...ofEach(gpts, gptLayer),
  ...ofEach(berts, bertLayer),
  modernbert,
};

const ofLlama = (w, c) => normOf(w, llamas[c.model_type].norm ?? 'rms', epsilonOf(c))('model.norm');
const ofGpt = (name) => (w) => normOf(w, 'layer', 1e-5)(name);
const ofBert = (name) => (w, c) => normOf(w, 'layer', c.layer_norm_eps)(name);

/** The norm after the last layer. */
export const moreFinalNorms = {
  ...ofEach(llamas, ofLlama),
  ...ofEach(gpts, ofGpt('transformer.ln_f')),
  mpt: ofGpt('transformer.norm_f'),
  phi: ofGpt('model.final_layernorm'),
  opt: (w, c) =>
    c.do_layer_norm_before
      ? normOf(w, 'layer', 1e-5)('model.decoder.final_layer_norm')
      : linear(w.rows('model.decoder.project_out.weight')),
  'roberta-prelayernorm': ofBert('roberta_prelayernorm.LayerNorm'),
  esm: ofBert('esm.encoder.emb_layer_norm_after'),
  modernbert: (w, c) => normOf(w, 'layer', c.norm_eps)('model.final_norm'),
};

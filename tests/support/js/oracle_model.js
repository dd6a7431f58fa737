// The oracle of models with edits and captures, in float64, knowing nothing of the library: the layers of some families as
// their papers have them, with a hook at each place of a layer. Matrices are arrays of rows, tensors of heads arrays of
// matrices. A layer's input is given, so that embeddings are tested elsewhere.
import { moreFamilies, moreFinalNorms } from './oracle_families.js';
import {
  added,
  dot,
  each,
  identity,
  linear,
  range,
  readers,
  rotary,
  split,
  sum,
  then,
  transposed,
} from './oracle_parts.js';

function bucket(distance, isBothWays, buckets, longest) {
  const count = isBothWays ? buckets / 2 : buckets;
  const first = isBothWays && distance > 0 ? count : 0;
  const away = isBothWays ? Math.abs(distance) : Math.max(-distance, 0);
  const exact = Math.floor(count / 2);
  if (away < exact) return first + away;
  const share = Math.log(away / exact) / Math.log(longest / exact);
  return first + Math.min(count - 1, exact + Math.floor(share * (count - exact)));
}

/** The row of a table of 2 · buckets rows for a difference of positions, query minus key. */
function signedBucket(difference, buckets, longest) {
  const half = buckets / 2;
  const away = Math.abs(difference);
  const share = Math.log(away / half) / Math.log((longest - 1) / half);
  const bucket = away <= half ? away : half + Math.ceil(share * (half - 1));
  return Math.min(Math.max(Math.sign(difference) * bucket + buckets, 0), 2 * buckets - 1);
}

// ---- families ------------------------------------------------------------------------------------

// A layer: isPostNorm, isParallel, self and cross (q, k, v: functions of normed rows; output; heads, kvHeads, scale,
// isCausal, sees(i, j) instead of it, ready: a function of each head of q and k, cap, bias(head, i, j), terms(q, k, scale)
// of scores), norms (self, cross, mlp), outputNorms, mlp, scales. Parts that are undefined are left out.

function bartLayer(c, w, n, side) {
  const at = `model.${side}.layers.${n}.`;
  const attention = (name) => ({
    q: w.dense(`${name}.q_proj`),
    k: w.dense(`${name}.k_proj`),
    v: w.dense(`${name}.v_proj`),
    output: w.output(`${name}.out_proj`),
    heads: c[`${side}_attention_heads`],
  });
  const norm = (name) => w.norm(`${at}${name}`, 1e-5);
  const isDecoder = side === 'decoder';
  return {
    isPostNorm: !['mbart', 'pegasus', 'm2m_100'].includes(c.model_type),
    norms: {
      self: norm('self_attn_layer_norm'),
      cross: isDecoder && norm('encoder_attn_layer_norm'),
      mlp: norm('final_layer_norm'),
    },
    self: { ...attention(`${at}self_attn`), isCausal: isDecoder },
    cross: isDecoder ? attention(`${at}encoder_attn`) : undefined,
    mlp: then(w.dense(`${at}fc1`), each(c.activation_function), w.dense(`${at}fc2`)),
  };
}

const multiplied = (x, y) => x.map((row, i) => row.map((a, c) => a * y[i][c]));

const families = {
  ...moreFamilies,

  bert(c, w, n) {
    const at = `bert.encoder.layer.${n}.`;
    const part = (name) => w.dense(`${at}attention.self.${name}`);
    return {
      isPostNorm: true,
      norms: {
        self: w.norm(`${at}attention.output.LayerNorm`, c.layer_norm_eps),
        mlp: w.norm(`${at}output.LayerNorm`, c.layer_norm_eps),
      },
      self: {
        ...{ q: part('query'), k: part('key'), v: part('value') },
        output: w.output(`${at}attention.output.dense`),
        heads: c.num_attention_heads,
      },
      mlp: then(w.dense(`${at}intermediate.dense`), each('gelu'), w.dense(`${at}output.dense`)),
    };
  },

  albert(c, w, n) {
    const at = `albert.encoder.albert_layer_groups.${Math.floor(n / 2)}.albert_layers.0.`;
    const part = (name) => w.dense(`${at}attention.${name}`);
    return {
      isPostNorm: true,
      norms: {
        self: w.norm(`${at}attention.LayerNorm`, c.layer_norm_eps),
        mlp: w.norm(`${at}full_layer_layer_norm`, c.layer_norm_eps),
      },
      self: {
        ...{ q: part('query'), k: part('key'), v: part('value') },
        output: w.output(`${at}attention.dense`),
        heads: c.num_attention_heads,
      },
      mlp: then(w.dense(`${at}ffn`), each('gelu_tanh'), w.dense(`${at}ffn_output`)),
    };
  },

  'deberta-v2'(c, w, n) {
    const at = `deberta.encoder.layer.${n}.`;
    const part = (name) => w.dense(`${at}attention.self.${name}_proj`);
    const table = w.norm(
      'deberta.encoder.LayerNorm',
      c.layer_norm_eps,
    )(w.rows('deberta.encoder.rel_embeddings.weight'));
    const { num_attention_heads: heads } = c;
    const [keys, queries] = ['key', 'query'].map((name) => split(part(name)(table), heads));
    const row = (i, j) => signedBucket(i - j, c.position_buckets, c.max_relative_positions);
    return {
      isPostNorm: true,
      norms: {
        self: w.norm(`${at}attention.output.LayerNorm`, c.layer_norm_eps),
        mlp: w.norm(`${at}output.LayerNorm`, c.layer_norm_eps),
      },
      self: {
        ...{ q: part('query'), k: part('key'), v: part('value'), heads },
        output: w.output(`${at}attention.output.dense`),
        scale: 1 / Math.sqrt(3 * (c.hidden_size / heads)),
        terms: {
          content_position: (q, k, scale) => (h, i, j) => scale * dot(q[h][i], keys[h][row(i, j)]),
          position_content: (q, k, scale) => (h, i, j) =>
            scale * dot(k[h][j], queries[h][row(i, j)]),
        },
      },
      mlp: then(w.dense(`${at}intermediate.dense`), each('gelu'), w.dense(`${at}output.dense`)),
    };
  },

  gpt2(c, w, n) {
    const at = `transformer.h.${n}.`;
    const conv = (name) => linear(transposed(w.rows(`${name}.weight`)), w.numbers(`${name}.bias`));
    const fused = conv(`${at}attn.c_attn`);
    const part = (index) => (x) =>
      fused(x).map((row) => row.slice(index * c.n_embd, (index + 1) * c.n_embd));
    return {
      norms: { self: w.norm(`${at}ln_1`, 1e-5), mlp: w.norm(`${at}ln_2`, 1e-5) },
      self: {
        ...{ q: part(0), k: part(1), v: part(2) },
        scale: c.scale_attn_by_inverse_layer_idx
          ? 1 / Math.sqrt(c.n_embd / c.n_head) / (n + 1)
          : undefined,
        output: {
          matrix: transposed(w.rows(`${at}attn.c_proj.weight`)),
          bias: w.numbers(`${at}attn.c_proj.bias`),
        },
        ...{ heads: c.n_head, isCausal: true },
      },
      mlp: then(conv(`${at}mlp.c_fc`), each('gelu_tanh'), conv(`${at}mlp.c_proj`)),
    };
  },

  qwen3(c, w, n) {
    const at = `model.layers.${n}.`;
    const own = `${at}self_attn.`;
    const turn = rotary(c.head_dim / 2, c.rope_theta);
    const gated = (x) => {
      const gate = each('silu')(w.dense(`${at}mlp.gate_proj`)(x));
      return w
        .dense(`${at}mlp.up_proj`)(x)
        .map((row, i) => row.map((a, j) => a * gate[i][j]));
    };
    return {
      norms: {
        self: w.rms(`${at}input_layernorm`, c.rms_norm_eps),
        mlp: w.rms(`${at}post_attention_layernorm`, c.rms_norm_eps),
      },
      self: {
        q: w.dense(`${own}q_proj`),
        k: w.dense(`${own}k_proj`),
        v: w.dense(`${own}v_proj`),
        output: w.output(`${own}o_proj`),
        ...{ heads: c.num_attention_heads, kvHeads: c.num_key_value_heads, isCausal: true },
        readyQuery: then(w.rms(`${own}q_norm`, c.rms_norm_eps), turn),
        readyKey: then(w.rms(`${own}k_norm`, c.rms_norm_eps), turn),
      },
      mlp: then(gated, w.dense(`${at}mlp.down_proj`)),
    };
  },

  gpt_neox(c, w, n) {
    const at = `gpt_neox.layers.${n}.`;
    const { num_attention_heads: heads, hidden_size: width } = c;
    const fused = w.dense(`${at}attention.query_key_value`);
    const d = width / heads;
    const part = (index) => (x) =>
      fused(x).map((row) =>
        range(heads).flatMap((h) => row.slice((3 * h + index) * d, (3 * h + index + 1) * d)),
      );
    const turn = rotary((d * c.rotary_pct) / 2, c.rotary_emb_base);
    return {
      isParallel: c.use_parallel_residual,
      norms: {
        self: w.norm(`${at}input_layernorm`, c.layer_norm_eps),
        mlp: w.norm(`${at}post_attention_layernorm`, c.layer_norm_eps),
      },
      self: {
        ...{ q: part(0), k: part(1), v: part(2), output: w.output(`${at}attention.dense`) },
        ...{ heads, isCausal: true, readyQuery: turn, readyKey: turn },
      },
      mlp: then(w.dense(`${at}mlp.dense_h_to_4h`), each('gelu'), w.dense(`${at}mlp.dense_4h_to_h`)),
    };
  },

  t5(c, w, n, stack) {
    const side = stack === 'self' ? 'encoder' : stack;
    const at = `${side}.block.${n}.layer.`;
    const isEncoder = side === 'encoder';
    const attention = (name) => ({
      ...{ q: w.dense(`${name}.q`), k: w.dense(`${name}.k`), v: w.dense(`${name}.v`) },
      ...{ output: w.output(`${name}.o`), heads: c.num_heads, scale: 1 },
    });
    const table = w.rows(`${side}.block.0.layer.0.SelfAttention.relative_attention_bias.weight`);
    const bias = (head, i, j) => table[bucket(j - i, isEncoder, 8, 6)][head];
    const last = `${at}${isEncoder ? 1 : 2}.`;
    const norm = (name) => w.rms(`${name}layer_norm`, c.layer_norm_epsilon);
    const dense = (name) => w.dense(`${last}DenseReluDense.${name}`);
    const gated = (x) => multiplied(each('gelu_tanh')(dense('wi_0')(x)), dense('wi_1')(x));
    return {
      norms: { self: norm(`${at}0.`), cross: isEncoder || norm(`${at}1.`), mlp: norm(last) },
      self: { ...attention(`${at}0.SelfAttention`), bias, isCausal: !isEncoder },
      cross: isEncoder ? undefined : attention(`${at}1.EncDecAttention`),
      mlp: then(
        c.feed_forward_proj === 'gated-gelu' ? gated : then(dense('wi'), each('relu')),
        dense('wo'),
      ),
    };
  },

  ...Object.fromEntries(
    ['bart', 'mbart', 'marian', 'pegasus', 'm2m_100'].map((type) => [type, bartLayer]),
  ),

  nn_transformer(c, w, n, side) {
    const at = `transformer.${side}.layers.${n}.`;
    const { d_model: width, nhead: heads } = c;
    const attention = (name) => {
      const matrix = w.rows(`${at}${name}.in_proj_weight`);
      const bias = w.numbers(`${at}${name}.in_proj_bias`);
      const part = (i) =>
        linear(matrix.slice(i * width, (i + 1) * width), bias.slice(i * width, (i + 1) * width));
      return {
        ...{ q: part(0), k: part(1), v: part(2), output: w.output(`${at}${name}.out_proj`) },
        heads,
      };
    };
    const norm = (number) => w.norm(`${at}norm${number}`, 1e-5);
    const isDecoder = side === 'decoder';
    return {
      isPostNorm: !c.norm_first,
      norms: { self: norm(1), cross: isDecoder && norm(2), mlp: norm(isDecoder ? 3 : 2) },
      self: { ...attention('self_attn'), isCausal: isDecoder },
      cross: isDecoder ? attention('multihead_attn') : undefined,
      mlp: then(w.dense(`${at}linear1`), each('relu'), w.dense(`${at}linear2`)),
    };
  },

  vit(c, w, n) {
    // Names since transformers 5, and before.
    const isNew = w.numbers('vit.layers.0.attention.q_proj.weight') !== undefined;
    const at = isNew ? `vit.layers.${n}.` : `vit.encoder.layer.${n}.`;
    const names = isNew
      ? { query: 'q_proj', key: 'k_proj', value: 'v_proj', output: 'o_proj' }
      : {
          ...{ query: 'attention.query', key: 'attention.key', value: 'attention.value' },
          output: 'output.dense',
        };
    const part = (name) => w.dense(`${at}attention.${names[name]}`);
    const [up, down] = isNew ? ['mlp.fc1', 'mlp.fc2'] : ['intermediate.dense', 'output.dense'];
    return {
      norms: {
        self: w.norm(`${at}layernorm_before`, c.layer_norm_eps),
        mlp: w.norm(`${at}layernorm_after`, c.layer_norm_eps),
      },
      self: {
        ...{ q: part('query'), k: part('key'), v: part('value') },
        output: w.output(`${at}attention.${names.output}`),
        heads: c.num_attention_heads,
      },
      mlp: then(w.dense(at + up), each('gelu'), w.dense(at + down)),
    };
  },

  dinov2(c, w, n) {
    const at = `dinov2.encoder.layer.${n}.`;
    const plain = (x) => w.dense(`${at}mlp.fc2`)(each('gelu')(w.dense(`${at}mlp.fc1`)(x)));
    const gated = (x) => {
      const all = w.dense(`${at}mlp.weights_in`)(x);
      const half = all[0].length / 2;
      const [gate, up] = [all.map((row) => row.slice(0, half)), all.map((row) => row.slice(half))];
      return w.dense(`${at}mlp.weights_out`)(multiplied(each('silu')(gate), up));
    };
    const part = (name) => w.dense(`${at}attention.attention.${name}`);
    return {
      norms: {
        self: w.norm(`${at}norm1`, c.layer_norm_eps),
        mlp: w.norm(`${at}norm2`, c.layer_norm_eps),
      },
      self: {
        ...{ q: part('query'), k: part('key'), v: part('value') },
        output: w.output(`${at}attention.output.dense`),
        heads: c.num_attention_heads,
      },
      mlp: c.use_swiglu_ffn ? gated : plain,
      scales: {
        self: w.numbers(`${at}layer_scale1.lambda1`),
        mlp: w.numbers(`${at}layer_scale2.lambda1`),
      },
    };
  },
};

const finalNorms = {
  ...moreFinalNorms,
  gpt2: (w) => w.norm('transformer.ln_f', 1e-5),
  qwen3: (w, c) => w.rms('model.norm', c.rms_norm_eps),
  gpt_neox: (w, c) => w.norm('gpt_neox.final_layer_norm', c.layer_norm_eps),
  t5: (w, c, stack) =>
    w.rms(`${stack === 'self' ? 'encoder' : stack}.final_layer_norm`, c.layer_norm_epsilon),
  vit: (w, c) => w.norm('vit.layernorm', c.layer_norm_eps),
  dinov2: (w, c) => w.norm('dinov2.layernorm', c.layer_norm_eps),
  nn_transformer: (w, c, side) => w.norm(`transformer.${side}.norm`, 1e-5),
  ...Object.fromEntries(
    ['mbart', 'pegasus', 'm2m_100'].map((type) => [
      type,
      (w, c, side) => w.norm(`model.${side}.layer_norm`, 1e-5),
    ]),
  ),
};

// ---- edits ---------------------------------------------------------------------------------------

const asTensor = (value) => {
  if (!Array.isArray(value)) return value;
  const dims = [];
  for (let inner = value; Array.isArray(inner); [inner] = inner) dims.push(inner.length);
  return { data: value.flat(Infinity), dims };
};

/** The number of a tensor at these indices, aligned from the right; axes of size 1 stretch. */
function numberAt({ data, dims }, indices) {
  let at = 0;
  dims.forEach((dim, axis) => {
    const index = indices[indices.length - dims.length + axis];
    at = at * dim + (dim === 1 ? 0 : index);
  });
  return data[at] === null ? -Infinity : data[at];
}

const listOf = (selected, count) =>
  selected === undefined || selected === null ? range(count) : [selected].flat();

/** The value of an entry after an edit. */
function changed(old, to, indices) {
  if (to === 'zero') return 0;
  if ('set' in to) return numberAt(asTensor(to.set), indices);
  if ('add' in to) return old + numberAt(asTensor(to.add), indices);
  return old * to.scale;
}

const headed = ['q', 'k', 'v', 'scores', 'pattern', 'z'];

/**
 * Applies the edits of one place to its tensor, an array that may be nested in heads. visible: of pairs, heads × n × m.
 */
function apply(edits, at, tensor, visible) {
  const heads = headed.includes(at) ? tensor : [tensor];
  for (const { head, query, key, to } of edits) {
    const rowField = at === 'k' || at === 'v' ? key : query;
    const columnField = at === 'scores' || at === 'pattern' ? key : undefined;
    listOf(head, heads.length).forEach((h, headIndex) => {
      const matrix = heads[h];
      listOf(rowField, matrix.length).forEach((i, rowIndex) => {
        listOf(columnField, matrix[i].length).forEach((j, columnIndex) => {
          if (to === 'blocked') visible[h][i][j] = false;
          if (visible && !visible[h][i][j]) {
            if (at === 'scores') matrix[i][j] = -Infinity;
            return;
          }
          matrix[i][j] =
            to === 'uniform'
              ? 1 / visible[h][i].filter(Boolean).length
              : changed(matrix[i][j], to, [headIndex, rowIndex, columnIndex]);
        });
      });
    });
  }
  return tensor;
}

// ---- layers --------------------------------------------------------------------------------------

function softmax(scores, visible) {
  const largest = Math.max(...scores.filter((_, j) => visible[j]));
  const powers = scores.map((score, j) => (visible[j] ? Math.exp(score - largest) : 0));
  const total = sum(powers);
  return powers.map((power) => (total > 0 ? power / total : 0));
}

/** Attention of normed rows x to a context; at(place, tensor, visible) edits and captures. Returns z·W_O + b. */
function attend(part, x, context, at) {
  const { heads, kvHeads = heads, isCausal, bias = () => 0, readyQuery, readyKey } = part;
  const { terms, cap, sees = isCausal ? (i, j) => j <= i : () => true } = part;
  const ready = (rows, count, change = identity) => split(rows, count).map(change);
  const q = at('q', ready(part.q(x), heads, readyQuery));
  const k = at('k', ready(part.k(context), kvHeads, readyKey));
  const v = at('v', ready(part.v(context), kvHeads));
  const { scale = 1 / Math.sqrt(q[0][0].length) } = part;
  const group = (h) => Math.floor(h / (heads / kvHeads));
  const pairs = (number) =>
    q.map((rows, h) => rows.map((_, i) => context.map((__, j) => number(h, i, j))));
  const visible = pairs((h, i, j) => sees(i, j));
  const contents = pairs((h, i, j) => {
    const score = scale * dot(q[h][i], k[group(h)][j]);
    return cap ? cap * Math.tanh(score / cap) : score;
  });
  if (terms) at('content_content', contents);
  const positions = Object.entries(terms ?? {}).map(([name, term]) =>
    at(name, pairs(term(q, k, scale))),
  );
  const scores = at(
    'scores',
    pairs((h, i, j) =>
      visible[h][i][j]
        ? contents[h][i][j] + bias(h, i, j) + sum(positions.map((term) => term[h][i][j]))
        : -Infinity,
    ),
    visible,
  );
  const pattern = at(
    'pattern',
    scores.map((rows, h) => rows.map((row, i) => softmax(row, visible[h][i]))),
    visible,
  );
  const z = at(
    'z',
    pattern.map((rows, h) =>
      rows.map((row) =>
        v[group(h)][0].map((_, c) =>
          sum(row.map((a, j) => a * (visible[h] && a === 0 ? 0 : v[group(h)][j][c]))),
        ),
      ),
    ),
  );
  const { matrix, bias: outputBias } = part.output;
  const d = z[0][0].length;
  const slice = (h) => linear(matrix.map((row) => row.slice(h * d, (h + 1) * d)));
  at(
    'head_out',
    z.map((rows, h) => slice(h)(rows)),
  );
  at(
    'value_out',
    z.map((_, h) => slice(h)(v[group(h)])),
  );
  return linear(matrix, outputBias)(x.map((_, i) => z.flatMap((rows) => rows[i])));
}

/** One layer; at(place, tensor, isCross, visible). */
function runLayer(layer, input, memory, at) {
  const { isPostNorm, isParallel, norms, scales = {}, outputNorms } = layer;
  const scaled = (y, factors) => (factors ? y.map((row) => row.map((a, c) => a * factors[c])) : y);
  const own = (place, tensor, visible) => at(place, tensor, false, visible);
  const other = (place, tensor, visible) => at(place, tensor, true, visible);
  const before = (name) => (isPostNorm ? identity : (norms[name] ?? identity));
  const after = (name) => (isPostNorm ? norms[name] : identity);
  const attention = (name, x, context, hook) => {
    const y = before(name)(x);
    const sums = behind(name)(attend(layer[name], y, context ?? y, hook));
    return hook('attn_out', scaled(sums, scales[name]));
  };
  const behind = (name) => outputNorms?.[name] ?? identity;
  const mlp = (x) => own('mlp_out', scaled(behind('mlp')(layer.mlp(before('mlp')(x))), scales.mlp));

  let x = own('resid_pre', input);
  const first = attention('self', x, undefined, own);
  if (isParallel) return own('resid_post', added(added(x, first), mlp(x)));
  x = after('self')(added(x, first));
  if (layer.cross) x = after('cross')(added(x, attention('cross', x, memory, other)));
  x = own('resid_mid', x);
  return own('resid_post', after('mlp')(added(x, mlp(x))));
}

const dimsOf = (tensor) => (Array.isArray(tensor) ? [tensor.length, ...dimsOf(tensor[0])] : []);
const flat = (tensor) => ({ data: Float64Array.from(tensor.flat(Infinity)), dims: dimsOf(tensor) });
const rowsOf = ({ data, dims: [count, width] }) =>
  range(count).map((row) => Array.from(data.slice(row * width, (row + 1) * width)));

/**
 * Runs the layers of a case of models.json. inputs: the input of the first layer of each stack, { self } or { encoder,
 * decoder }. Returns { hidden, encoderHidden?, captured: a Map from 'stack at layer' to tensors }.
 */
export function oracleModel({ config, weights }, inputs, edits = []) {
  const { model_type: type } = config;
  const w = readers(weights);
  const captured = new Map();
  const run = (side, input, memory) => {
    const count =
      config[`num_${side}_layers`] ??
      config.num_layers ??
      config.num_hidden_layers ??
      config.n_layer ??
      config.n_layers ??
      config.encoder_layers;
    let x = rowsOf(input);
    for (const n of range(count)) {
      const at = (place, tensor, isCross, visible) => {
        const stack = isCross ? 'cross' : side;
        const own = edits.filter(
          (edit) =>
            edit.at === place &&
            [edit.layer].flat().includes(n) &&
            (edit.stack ?? 'self') === stack,
        );
        const result = apply(own, place, tensor, visible);
        captured.set(`${stack} ${place} ${n}`, flat(result));
        return result;
      };
      x = runLayer(families[type](config, w, n, side), x, memory, at);
    }
    return (finalNorms[type]?.(w, config, side) ?? identity)(x);
  };
  if (inputs.self) return { hidden: flat(run('self', inputs.self)), captured };
  const encoded = run('encoder', inputs.encoder);
  const hidden = flat(run('decoder', inputs.decoder, encoded));
  return { hidden, encoderHidden: flat(encoded), captured };
}

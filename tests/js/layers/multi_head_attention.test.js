// MultiHeadAttention: the layer is its projections around attention(); state dicts, caches, wrong shapes.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import fc from 'fast-check';

import { EPSILON } from '../../support/js/accuracy_bound.js';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { asBfloat16, asFloat32 } from '../../support/js/narrowed.js';
import { splitHeads } from '../../support/js/oracle_layout.js';
import { linear, transposed } from '../../support/js/oracle_multi_head.js';
import {
  additiveMask,
  booleanMask,
  normalTensor,
  seeded,
} from '../../support/js/random_tensors.js';
import { runCount } from '../../support/js/run_count.js';
import { filled, packHeads, pick, range, reshape, rowsOf } from '../../support/js/rearrange.js';
import { sameIn } from '../../support/js/same_results.js';
import { assertRefuses } from '../../support/js/refusals.js';

const SEED = 2017;

const absolute = (tensor) => tensor && { dims: tensor.dims, data: tensor.data.map(Math.abs) };

// x W + b, within the rounding error of a sum in any order.
function isProduct(got, x, weight, bias, split = (tensor) => tensor) {
  const sizes = linear(absolute(x), absolute(weight), absolute(bias));
  const tolerance = (weight.dims[0] + 2) * EPSILON * Math.max(...sizes.data, 0);
  assert.equal(explainDifference(got, split(linear(x, weight, bias)), tolerance), '');
}

const arbitraryLayer = fc.record({
  seed: fc.integer({ min: 0, max: 1e6 }),
  batch: fc.constantFrom(null, 1, 2),
  qLen: fc.integer({ min: 1, max: 9 }),
  kLen: fc.constantFrom(1, 2, 5, 9, 65),
  model: fc.constantFrom(1, 3, 8, 17),
  contextWidth: fc.constantFrom(1, 4, 9),
  out: fc.constantFrom(1, 5, 16),
  kvHeads: fc.integer({ min: 1, max: 2 }),
  group: fc.integer({ min: 1, max: 3 }),
  keyDim: fc.constantFrom(1, 4, 5),
  valueDim: fc.constantFrom(1, 3, 8),
  biases: fc.subarray(['queryBias', 'keyBias', 'valueBias', 'outputBias']),
  options: fc.subarray(['scale', 'softcap', 'causal', 'window', 'keyLengths', 'slopes', 'sinks']),
  mask: fc.constantFrom('none', 'boolean', 'additive'),
});

/** Tensors, sizes and options of a description. */
function makeLayer(described) {
  const { seed, batch, qLen, kLen, model, contextWidth, out, kvHeads, group } = described;
  const { keyDim, valueDim } = described;
  const random = seeded(`layer ${seed}`);
  const heads = kvHeads * group;
  const put = (...dims) => normalTensor(random, dims, dims[0] ** -0.5);
  const weights = {
    query: put(model, heads * keyDim),
    key: put(contextWidth, kvHeads * keyDim),
    value: put(contextWidth, kvHeads * valueDim),
    output: put(heads * valueDim, out),
  };
  const widths = {
    queryBias: heads * keyDim,
    keyBias: kvHeads * keyDim,
    valueBias: kvHeads * valueDim,
    outputBias: out,
  };
  for (const name of described.biases) weights[name] = normalTensor(random, [widths[name]]);
  const lead = batch === null ? [] : [batch];
  const x = normalTensor(random, [...lead, qLen, model]);
  const context = normalTensor(random, [...lead, kLen, contextWidth]);
  const shape = { batch: batch ?? 1, heads, qLen, kLen };
  const options = makeOptions(random, described.options, shape);
  const full = [shape.batch, heads, qLen, kLen];
  if (described.mask === 'boolean') options.mask = booleanMask(random, full, 0.8);
  if (described.mask === 'additive') options.mask = additiveMask(random, full, 0.2);
  return { weights, sizes: { heads, kvHeads }, x, context, options };
}

function makeOptions(random, names, { batch, heads, qLen, kLen }) {
  const drawn = {
    scale: 0.75,
    softcap: 1.5,
    causal: true,
    window: [random.integer(0, kLen), random.integer(0, kLen)],
    keyLengths: Array.from({ length: batch }, () => random.integer(0, kLen)),
    slopes: Array.from({ length: heads }, () => random.integer(-8, 8) / 8),
    sinks: Array.from({ length: heads }, () => random.integer(-8, 8) / 8),
  };
  const options = Object.fromEntries(names.map((name) => [name, drawn[name]]));
  if (['causal', 'window', 'slopes'].some((name) => name in options)) {
    options.offset = kLen - qLen;
  }
  return options;
}

// nn.MultiheadAttention with all parameters, 2 heads, width 6; separate or stacked matrices.
function torchState(random, { separate = false, contextWidth = 6, prefix = '' } = {}) {
  const state = {};
  const put = (name, ...dims) => (state[prefix + name] = normalTensor(random, dims, 0.5));
  if (separate) {
    put('q_proj_weight', 6, 6);
    put('k_proj_weight', 6, contextWidth);
    put('v_proj_weight', 6, contextWidth);
  } else put('in_proj_weight', 18, 6);
  put('in_proj_bias', 18);
  put('out_proj.weight', 6, 6);
  put('out_proj.bias', 6);
  return state;
}

// The stacked matrix split into three.
function unstacked({ in_proj_weight: stacked, ...rest }) {
  const rows = stacked.dims[0] / 3;
  const third = (n) => pick(stacked, 0, range(n * rows, (n + 1) * rows));
  return { q_proj_weight: third(0), k_proj_weight: third(1), v_proj_weight: third(2), ...rest };
}

const asked = { weights: true, scores: 'biased', logSumExp: true, headOutputs: true };

for (const kernels of ['simd', 'reference']) {
  describe(`MultiHeadAttention, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });
    const { attention, MultiHeadAttention, KeyValueCache } = api;

    it('is project(), attention() and a matrix product, for any sizes and options', () => {
      const once = (described) => {
        const { weights, sizes, x, context, options } = makeLayer(described);
        const layer = MultiHeadAttention.fromWeights(weights, sizes);
        const { heads, kvHeads } = sizes;
        const { query, key, value } = layer.project(x, context);
        const as = (count) => (tensor) => splitHeads(tensor, count);
        isProduct(query, x, weights.query, weights.queryBias, as(heads));
        isProduct(key, context, weights.key, weights.keyBias, as(kvHeads));
        isProduct(value, context, weights.value, weights.valueBias, as(kvHeads));

        const want = attention(query, key, value, { ...options, ...attentionAsked });
        const got = layer.forward(x, context, { ...options, ...asked });
        const alone = ({ dims, data }) =>
          x.dims.length === 2 ? reshape({ data }, dims.slice(1)) : { dims, data };
        const { output: headOutputs, ...square } = want;
        for (const [name, tensor] of Object.entries({ ...square, headOutputs })) {
          sameIn({ [name]: got[name] }, { [name]: alone(tensor) });
        }
        isProduct(got.output, alone(packHeads(headOutputs)), weights.output, weights.outputBias);

        sameIn(layer.forward(x, context, options), { output: got.output });
        const averaged = { ...options, weights: 'average' };
        const average = attention(query, key, value, averaged).weights;
        sameIn(layer.forward(x, context, averaged), {
          output: got.output,
          weights: alone(average),
        });

        const kept = layer.projectContext(context);
        const { offset: _, ...rest } = options; // the cache supplies the offset
        sameIn(layer.forward(x, kept, { ...rest, ...asked }), got, 'projected before');
        assert.equal(kept.length, described.kLen, 'nothing is appended');
        kept.delete();
        layer.delete();
      };
      fc.assert(fc.property(arbitraryLayer, once), { seed: SEED, numRuns: runCount(120) });
    });

    const random = seeded('one layer');
    const x = normalTensor(random, [2, 7, 6]);
    const context = normalTensor(random, [2, 5, 6]);

    it('is self-attention without a context', () => {
      const layer = MultiHeadAttention.fromTorch(torchState(random), { heads: 2 });
      const got = layer.forward(x, undefined, asked);
      for (const self of [x, null, { data: x.data.slice(), dims: x.dims }]) {
        sameIn(layer.forward(x, self, asked), got);
      }
      sameIn(layer.project(x, x), layer.project(x));
    });

    it('has its sizes as properties', () => {
      const weights = makeLayer({ ...anyLayer, model: 8, kvHeads: 2, group: 3 }).weights;
      const layer = MultiHeadAttention.fromWeights(weights, { heads: 6, kvHeads: 2 });
      const { heads, kvHeads, keyDim, valueDim, modelDim } = layer;
      const sizes = { heads: 6, kvHeads: 2, keyDim: 4, valueDim: 3, modelDim: 8 };
      assert.deepEqual({ heads, kvHeads, keyDim, valueDim, modelDim }, sizes);
      const plain = MultiHeadAttention.fromTorch(torchState(random), { heads: 3 });
      assert.deepEqual([plain.heads, plain.kvHeads, plain.keyDim, plain.modelDim], [3, 3, 2, 6]);
    });

    for (const [name, given] of Object.entries(passedThrough())) {
      it(`passes ${name} on to attention()`, () => {
        const layer = MultiHeadAttention.fromTorch(torchState(seeded(name)), { heads: 2 });
        const { query, key, value } = layer.project(x, context);
        const { headOutputs, ...square } = layer.forward(x, context, { ...given, ...asked });
        const want = attention(query, key, value, { ...given, ...attentionAsked });
        const { output, ...rest } = want;
        sameIn({ headOutputs, ...square }, { headOutputs: output, ...rest });
        const without = layer.forward(x, context, asked);
        assert.notEqual(explainBitDifference(square.output, without.output), '', 'it is felt');
      });
    }

    it('returns requested results only', () => {
      const layer = MultiHeadAttention.fromTorch(torchState(random), { heads: 2 });
      assert.deepEqual(Object.keys(layer.forward(x)), ['output']);
      for (const [options, name, dims] of [
        [{ weights: true }, 'weights', [2, 2, 7, 7]],
        [{ weights: 'average' }, 'weights', [2, 7, 7]],
        [{ scores: 'raw' }, 'scores', [2, 2, 7, 7]],
        [{ logSumExp: true }, 'logSumExp', [2, 2, 7]],
        [{ headOutputs: true }, 'headOutputs', [2, 2, 7, 3]],
      ]) {
        const got = layer.forward(x, undefined, options);
        assert.deepEqual(Object.keys(got).sort(), ['output', name].sort());
        assert.deepEqual(got[name].dims, dims);
        const alone = { data: x.data.slice(0, 42), dims: [7, 6] };
        assert.deepEqual(layer.forward(alone, undefined, options)[name].dims, dims.slice(1));
      }
      const nothing = { weights: false, scores: false, logSumExp: false, headOutputs: false };
      assert.deepEqual(Object.keys(layer.forward(x, undefined, nothing)), ['output']);
    });

    it('multiplies concatenated heads by the output matrix', () => {
      const { weights, sizes } = makeLayer({ ...anyLayer, biases: ['outputBias'] });
      const layer = MultiHeadAttention.fromWeights(weights, sizes);
      const one = normalTensor(random, [2, 4, anyLayer.model]);
      const two = normalTensor(random, [2, 3, anyLayer.contextWidth]);
      const { output, headOutputs } = layer.forward(one, two, { headOutputs: true });
      isProduct(output, packHeads(headOutputs), weights.output, weights.outputBias);
    });

    it('decodes with a cache as the whole causal pass, bit by bit', () => {
      for (const length of [1, 5, 255, 257, 300]) {
        const steps = seeded(`decode ${length}`);
        const layer = MultiHeadAttention.fromTorch(torchState(steps), { heads: 2 });
        const all = normalTensor(steps, [2, length, 6]);
        const options = { causal: true, slopes: [0.5, 0.25], sinks: [0.5, -1] };
        const whole = layer.forward(all, undefined, { ...options, headOutputs: true });
        for (const max of [1, 70]) {
          const cache = layer.createCache({ batch: 2, capacity: length });
          for (let at = 0; at < length;) {
            const to = Math.min(length, at + steps.integer(1, max));
            const part = rowsOf(all, at, to);
            const got = layer.forward(part, at % 2 ? part : undefined, {
              ...options,
              cache,
              headOutputs: true,
            });
            assert.equal(cache.length, to);
            const label = `${at} to ${to} of ${length}`;
            sameIn(
              got,
              {
                output: rowsOf(whole.output, at, to),
                headOutputs: rowsOf(whole.headOutputs, at, to),
              },
              label,
            );
            at = to;
          }
          cache.delete();
        }
        layer.delete();
      }
    });

    it('appends a context that is not x', () => {
      const layer = MultiHeadAttention.fromTorch(torchState(random), { heads: 2 });
      const cache = layer.createCache({ batch: 2, capacity: 10 });
      const [first, second] = [rowsOf(context, 0, 2), rowsOf(context, 2, 5)];
      layer.forward(x, first, { cache });
      assert.equal(cache.length, 2);
      const got = layer.forward(x, second, { cache, weights: true });
      sameIn(got, layer.forward(x, context, { weights: true }));
      assert.equal(cache.length, 5);
    });

    it('attends to the last tokens with a sliding cache', () => {
      const layer = MultiHeadAttention.fromTorch(torchState(random), { heads: 2 });
      const cache = layer.createCache({ batch: 2, capacity: 3, sliding: true });
      const whole = layer.forward(x, undefined, { causal: true, window: [2, 0] });
      for (let at = 0; at < 7; at++) {
        const { output } = layer.forward(rowsOf(x, at, at + 1), undefined, { cache });
        sameIn({ output }, { output: rowsOf(whole.output, at, at + 1) });
      }
    });

    it('refuses caches of another shape, and appends nothing', () => {
      const layer = MultiHeadAttention.fromTorch(torchState(random), { heads: 2 });
      const token = rowsOf(x, 0, 1);
      const bytes = api.memoryBytes();
      for (const sizes of [
        { batch: 1, kvHeads: 2, keyDim: 3, capacity: 2 },
        { batch: 2, kvHeads: 1, keyDim: 6, valueDim: 2, capacity: 2 },
        { batch: 2, kvHeads: 2, keyDim: 3, valueDim: 4, capacity: 2 },
        { batch: 2, kvHeads: 2, keyDim: 4, valueDim: 3, capacity: 2 },
      ]) {
        const cache = new KeyValueCache(sizes);
        assertRefuses(() => layer.forward(token, undefined, { cache }), RangeError, 'cache');
        assertRefuses(() => layer.forward(token, cache), RangeError, 'cache');
        assert.equal(cache.length, 0);
        cache.delete();
      }
      const full = layer.createCache({ batch: 2, capacity: 2 });
      layer.forward(rowsOf(x, 0, 2), undefined, { cache: full });
      const before = layer.forward(token, full);
      for (const options of [{}, { offset: 0 }, { mask: booleanMask(random, [3, 3]) }]) {
        const call = () => layer.forward(token, undefined, { ...options, cache: full });
        assert.throws(call, { name: 'RangeError' });
        assert.equal(full.length, 2);
        sameIn(layer.forward(token, full), before);
      }
      full.rewind(1);
      const wrong = { cache: full, keyLengths: [3, 3] };
      assertRefuses(() => layer.forward(token, undefined, wrong), RangeError, 'keyLengths[0]');
      assert.equal(full.length, 1, 'a call refused for an option appends nothing');
      assert.throws(() => layer.forward(token, full, { cache: full }), {
        name: 'TypeError',
        message: 'context is a KeyValueCache already, so no other cache can be given',
      });
      assert.equal(api.memoryBytes(), bytes);
    });

    describe('fromTorch()', () => {
      it('reads stacked and separate projections as the same, and as fromWeights()', () => {
        const state = torchState(random);
        const separate = unstacked(state);
        const third = (n) => pick(state.in_proj_bias, 0, range(6 * n, 6 * n + 6));
        const weights = {
          query: transposed(separate.q_proj_weight),
          key: transposed(separate.k_proj_weight),
          value: transposed(separate.v_proj_weight),
          output: transposed(state['out_proj.weight']),
          queryBias: third(0),
          keyBias: third(1),
          valueBias: third(2),
          outputBias: state['out_proj.bias'],
        };
        const want = MultiHeadAttention.fromTorch(state, { heads: 2 }).forward(x, context, asked);
        const others = [
          MultiHeadAttention.fromTorch(separate, { heads: 2 }),
          MultiHeadAttention.fromTorch(new Map(Object.entries(state)), { heads: 2 }),
          MultiHeadAttention.fromTorch(prefixed(state, 'a.b.'), { heads: 2, prefix: 'a.b.' }),
          MultiHeadAttention.fromWeights(weights, { heads: 2 }),
        ];
        for (const other of others) sameIn(other.forward(x, context, asked), want);
      });

      it('accepts a context of another width, and missing biases', () => {
        const state = torchState(random, { separate: true, contextWidth: 4 });
        const narrow = normalTensor(random, [2, 5, 4]);
        const layer = MultiHeadAttention.fromTorch(state, { heads: 2 });
        const zeros = { in_proj_bias: filled(state.in_proj_bias, [[]], 0) };
        zeros['out_proj.bias'] = filled(state['out_proj.bias'], [[]], 0);
        const zeroed = MultiHeadAttention.fromTorch({ ...state, ...zeros }, { heads: 2 });
        const { in_proj_bias: _, 'out_proj.bias': __, ...bare } = state;
        const without = MultiHeadAttention.fromTorch(bare, { heads: 2 });
        sameIn(without.forward(x, narrow, asked), zeroed.forward(x, narrow, asked));
        const got = layer.forward(x, narrow);
        assert.notEqual(explainBitDifference(got.output, without.forward(x, narrow).output), '');
      });

      it('accepts float64 and 16-bit weights', () => {
        const mapped = (state, how) =>
          Object.fromEntries(Object.entries(state).map(([name, tensor]) => [name, how(tensor)]));
        const half = mapped(torchState(random), asBfloat16);
        const float = mapped(half, asFloat32);
        const double = mapped(float, ({ data, dims }) => ({ data: Float64Array.from(data), dims }));
        const want = MultiHeadAttention.fromTorch(float, { heads: 2 }).forward(x);
        for (const state of [half, double]) {
          sameIn(MultiHeadAttention.fromTorch(state, { heads: 2 }).forward(x), want);
        }
      });

      it('reads only names below its prefix', () => {
        const state = torchState(random, { prefix: 'layer.' });
        const want = MultiHeadAttention.fromTorch(state, { heads: 2, prefix: 'layer.' });
        const names = ['__proto__', 'constructor', 'other.in_proj_bias', 'lay'];
        const crowded = Object.fromEntries([
          ...names.map((name) => [name, 'no tensor']),
          ...Object.entries(state),
        ]);
        assert.ok(Object.hasOwn(crowded, '__proto__'));
        const entries = [[Symbol.iterator, 1], [7, 1], ...Object.entries(crowded)];
        for (const dict of [crowded, new Map(entries)]) {
          const layer = MultiHeadAttention.fromTorch(dict, { heads: 2, prefix: 'layer.' });
          sameIn(layer.forward(x), want.forward(x));
        }
        assert.equal({}.in_proj_weight, undefined);
        const inherited = Object.create({ 'layer.bias_k': state['layer.in_proj_bias'] });
        const layer = MultiHeadAttention.fromTorch(Object.assign(inherited, state), {
          heads: 2,
          prefix: 'layer.',
        });
        sameIn(layer.forward(x), want.forward(x));
      });

      it('refuses unknown names, such as learned keys', () => {
        const state = torchState(random);
        const has = Object.keys({ ...torchNames }).join(', ');
        const learned = 'learned keys and values (add_bias_kv) are not supported';
        for (const [name, message] of [
          ['bias_k', `stateDict has 'bias_k': ${learned}`],
          ['bias_v', `stateDict has 'bias_v': ${learned}`],
          [
            'gamma',
            `unexpected key 'gamma' in stateDict for nn.MultiheadAttention; expected ${has}`,
          ],
          [
            '__proto__',
            `unexpected key '__proto__' in stateDict for nn.MultiheadAttention; expected ${has}`,
          ],
          [
            'toString',
            `unexpected key 'toString' in stateDict for nn.MultiheadAttention; expected ${has}`,
          ],
        ]) {
          const dict = Object.fromEntries([...Object.entries(state), [name, state.in_proj_bias]]);
          for (const given of [dict, new Map(Object.entries(dict))]) {
            const call = () => MultiHeadAttention.fromTorch(given, { heads: 2 });
            assert.throws(call, { name: 'RangeError', message });
          }
          const below = () =>
            MultiHeadAttention.fromTorch(prefixed(dict, 'p.'), { heads: 2, prefix: 'p.' });
          assert.throws(below, { message: message.replace(`'${name}'`, `'p.${name}'`) });
        }
      });
    });

    it('accepts empty sequences and contexts', () => {
      const layer = MultiHeadAttention.fromTorch(torchState(random), { heads: 2 });
      const none = { data: new Float32Array(0), dims: [2, 0, 6] };
      assert.deepEqual(layer.forward(none).output.dims, [2, 0, 6]);
      const bare = layer.forward(x, none, { weights: true });
      assert.deepEqual(bare.weights.dims, [2, 2, 7, 0]);
      sameIn(layer.forward(x, layer.projectContext(none), { weights: true }), bare);
    });

    it('can be deleted twice, by Symbol.dispose too, and not used after', () => {
      const dispose = Symbol.dispose ?? 'delete';
      for (const free of ['delete', dispose]) {
        const layer = MultiHeadAttention.fromTorch(torchState(random), { heads: 2 });
        const cache = layer.createCache({ batch: 2, capacity: 3 });
        layer[free]();
        layer[free]();
        layer.delete();
        const uses = {
          forward: () => layer.forward(x),
          project: () => layer.project(x),
          createCache: () => layer.createCache({ capacity: 1 }),
          projectContext: () => layer.projectContext(x),
          heads: () => layer.heads,
          kvHeads: () => layer.kvHeads,
          keyDim: () => layer.keyDim,
          valueDim: () => layer.valueDim,
          modelDim: () => layer.modelDim,
        };
        const deleted = { name: 'DeletedError', message: /MultiHeadAttention/ };
        for (const [name, use] of Object.entries(uses)) assert.throws(use, deleted, name);
        assert.equal(cache.length, 0, 'its caches live on');
        const alive = MultiHeadAttention.fromTorch(torchState(random), { heads: 2 });
        cache.delete();
        assert.throws(() => alive.forward(x, undefined, { cache }), {
          name: 'DeletedError',
          message: /^cache/,
        });
        assert.throws(() => alive.forward(x, cache), { message: /^context/ });
      }
    });
  });
}

const { headOutputs: _, ...attentionAsked } = asked;

const prefixed = (state, prefix) =>
  Object.fromEntries(Object.entries(state).map(([name, tensor]) => [prefix + name, tensor]));

const torchNames = {
  in_proj_weight: 0,
  q_proj_weight: 0,
  k_proj_weight: 0,
  v_proj_weight: 0,
  in_proj_bias: 0,
  'out_proj.weight': 0,
  'out_proj.bias': 0,
};

// Heads 4, kvHeads 2: query 8 × 16, key 9 × 8, value 9 × 6, output 12 × 5.
const anyLayer = {
  seed: 1,
  batch: 2,
  qLen: 3,
  kLen: 4,
  model: 8,
  contextWidth: 9,
  out: 5,
  kvHeads: 2,
  group: 2,
  keyDim: 4,
  valueDim: 3,
  biases: [],
  options: [],
  mask: 'none',
};

// For x of 2 × 7 rows, a context of 2 × 5, and 2 heads.
function passedThrough() {
  const random = seeded('passed through');
  return {
    scale: { scale: 0.25 },
    softcap: { softcap: 0.5 },
    'causal and an offset': { causal: true, offset: -2 },
    'offsets of each batch entry': { causal: true, offset: [0, -4] },
    window: { window: [1, 1], offset: -2 },
    keyLengths: { keyLengths: [2, 5] },
    'a mask': { mask: booleanMask(random, [2, 1, 7, 5]) },
    'an additive mask': { mask: additiveMask(random, [2, 7, 5]) },
    slopes: { slopes: [0.5, 0.25], offset: -2 },
    sinks: { sinks: [1, -1] },
    everything: {
      scale: 0.75,
      softcap: 2,
      causal: true,
      offset: [-2, -1],
      window: [3, 0],
      keyLengths: [4, 5],
      mask: additiveMask(random, [2, 2, 7, 5]),
      slopes: [0.5, 0.25],
      sinks: [1, -1],
    },
  };
}

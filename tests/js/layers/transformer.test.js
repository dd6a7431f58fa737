// Transformer layers: decoding with caches gives the bits of the full pass, also for 200 tokens of an encoder–decoder;
// state dicts. The test vectors compare the layers with the oracle.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { explainBitDifference } from '../../support/js/compare.js';
import { booleanMask, normalTensor, seeded } from '../../support/js/random_tensors.js';
import { fill, filled, pick, range, rowsOf } from '../../support/js/rearrange.js';
import { same } from '../../support/js/same_results.js';
import { assertRefuses } from '../../support/js/refusals.js';

// A random state dict with PyTorch's names: matrices preserve the size of their inputs, norm weights are near 1. `part`:
// size of a block's contribution to the residual stream, relative to the stream.
function stateOf(random, sizes) {
  const { model = 6, wide = 10, memoryWidth = model, decoder, norm = 'layer', part = 1 } = sizes;
  const state = {};
  const put = (name, dims, spread, center = 0) => {
    const tensor = normalTensor(random, dims, spread);
    state[name] = { dims, data: tensor.data.map((x) => x + center) };
  };
  const attention = (name, context) => {
    if (context === model) put(`${name}.in_proj_weight`, [3 * model, model], model ** -0.5);
    else {
      put(`${name}.q_proj_weight`, [model, model], model ** -0.5);
      put(`${name}.k_proj_weight`, [model, context], context ** -0.5);
      put(`${name}.v_proj_weight`, [model, context], context ** -0.5);
    }
    put(`${name}.in_proj_bias`, [3 * model], 0.25);
    put(`${name}.out_proj.weight`, [model, model], part * model ** -0.5);
    put(`${name}.out_proj.bias`, [model], part * 0.25);
  };
  attention('self_attn', model);
  if (decoder) attention('multihead_attn', memoryWidth);
  put('linear1.weight', [wide, model], model ** -0.5);
  put('linear1.bias', [wide], 0.25);
  put('linear2.weight', [model, wide], part * wide ** -0.5);
  put('linear2.bias', [model], part * 0.25);
  for (let n = 1; n <= (decoder ? 3 : 2); n++) {
    put(`norm${n}.weight`, [model], 0.25, 1);
    if (norm === 'layer') put(`norm${n}.bias`, [model], part * 0.25);
  }
  return state;
}

const prefixed = (state, prefix) =>
  Object.fromEntries(Object.entries(state).map(([name, tensor]) => [prefix + name, tensor]));

const VARIANTS = [
  {},
  { normFirst: true },
  { normFirst: true, norm: 'rms', activation: 'gelu' },
  { activation: 'gelu_tanh', epsilon: 0.125 },
];

for (const kernels of ['simd', 'reference']) {
  describe(`Transformer layers, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });
    const { TransformerEncoderLayer, TransformerDecoderLayer } = api;

    const encoderOf = (seed, construct = {}, sizes = {}) =>
      TransformerEncoderLayer.fromTorch(
        stateOf(seeded(seed), { ...sizes, norm: construct.norm, decoder: false }),
        { heads: 2, ...construct },
      );
    const decoderOf = (seed, construct = {}, sizes = {}) =>
      TransformerDecoderLayer.fromTorch(
        stateOf(seeded(seed), { ...sizes, norm: construct.norm, decoder: true }),
        { heads: 2, ...construct },
      );

    for (const construct of VARIANTS) {
      const name = JSON.stringify(construct);

      it(`decoder layers decode as the whole causal pass, bit by bit: ${name}`, () => {
        const random = seeded(`decode ${name}`);
        for (const [length, lead] of [
          [1, []],
          [7, [2]],
          [140, []],
          [140, [2]],
        ]) {
          const layer = decoderOf(name, construct);
          const x = normalTensor(random, [...lead, length, 6]);
          const memory = normalTensor(random, [...lead, 5, 6]);
          const options = { causal: true, weights: true };
          const whole = layer.forward(x, memory, options);
          const plain = layer.forward(x, memory, { causal: true });
          same(plain, { output: whole.output });
          const batch = lead[0] ?? 1;
          const seen = layer.projectMemory(memory);
          assert.equal(seen.length, 5);
          for (const max of [1, 90]) {
            const cache = layer.createCache({ batch, capacity: length });
            for (let at = 0; at < length;) {
              const to = Math.min(length, at + random.integer(1, max));
              // Encoder output projected once, or in every step.
              const source = max === 1 || at % 2 ? seen : memory;
              const got = layer.forward(rowsOf(x, at, to), source, { ...options, cache });
              const { output, weights, crossWeights } = whole;
              const squareRows = rowsOf(weights, at, to);
              same(
                got,
                {
                  output: rowsOf(output, at, to),
                  weights: pick(squareRows, squareRows.dims.length - 1, range(0, to)),
                  crossWeights: rowsOf(crossWeights, at, to),
                },
                `${at} to ${to} of ${length}`,
              );
              at = to;
              assert.equal(cache.length, to);
            }
            cache.delete();
          }
          assert.equal(seen.length, 5, 'nothing is appended to the memory');
          seen.delete();
          layer.delete();
        }
      });

      it(`encoder layers decode as the whole causal pass, bit by bit: ${name}`, () => {
        const random = seeded(`encode ${name}`);
        const layer = encoderOf(name, construct);
        const x = normalTensor(random, [2, 261, 6]);
        const { output } = layer.forward(x, { causal: true });
        const cache = layer.createCache({ batch: 2, capacity: 261 });
        for (let at = 0; at < 261;) {
          const to = Math.min(261, at + random.integer(1, 40));
          const got = layer.forward(rowsOf(x, at, to), { causal: true, cache });
          same(got, { output: rowsOf(output, at, to) });
          at = to;
        }
      });
    }

    it('a sliding cache is a window', () => {
      const layer = decoderOf('sliding');
      const random = seeded('sliding');
      const x = normalTensor(random, [20, 6]);
      const memory = normalTensor(random, [3, 6]);
      const { output } = layer.forward(x, memory, { causal: true, window: [3, 0] });
      const cache = layer.createCache({ capacity: 4, sliding: true });
      for (let at = 0; at < 20; at++) {
        const got = layer.forward(rowsOf(x, at, at + 1), memory, { cache });
        same(got, { output: rowsOf(output, at, at + 1) });
      }
      assert.deepEqual([cache.length, cache.keptLength], [20, 4]);
    });

    it('a memory of another width, and its projection, give the same', () => {
      const layer = decoderOf('width', {}, { memoryWidth: 9 });
      const random = seeded('width');
      const x = normalTensor(random, [2, 4, 6]);
      const memory = normalTensor(random, [2, 5, 9]);
      const options = { weights: 'average' };
      const want = layer.forward(x, memory, options);
      assert.deepEqual(want.crossWeights.dims, [2, 4, 5]);
      same(layer.forward(x, layer.projectMemory(memory), options), want);
    });

    it('keys masked by crossMask and crossKeyLengths have no influence', () => {
      const layer = decoderOf('hidden');
      const random = seeded('hidden');
      const x = normalTensor(random, [2, 4, 6]);
      const memory = normalTensor(random, [2, 5, 6]);
      const spoilt = filled(memory, [], 0);
      for (const row of [3, 4]) fill(spoilt, [0, row], NaN);
      const hiding = { crossKeyLengths: [3, 5] };
      const want = layer.forward(x, memory, { ...hiding, weights: true });
      same(layer.forward(x, spoilt, { ...hiding, weights: true }), want);
      const open = [1, 1, 1, 0, 0, 1, 1, 1, 1, 1];
      const crossMask = { data: Uint8Array.from(open), dims: [2, 1, 1, 5] };
      same(layer.forward(x, spoilt, { crossMask, weights: true }), want);
      const seen = layer.projectMemory(spoilt);
      same(layer.forward(x, seen, { crossMask, weights: true }), want);
      assert.ok(layer.forward(x, spoilt).output.data.some(Number.isNaN));
    });

    it('options affect self-attention only', () => {
      const layer = decoderOf('options');
      const random = seeded('options');
      const x = normalTensor(random, [4, 6]);
      const memory = normalTensor(random, [5, 6]);
      const plain = layer.forward(x, memory, { weights: true });
      for (const options of [
        { causal: true },
        { window: [1, 1] },
        { keyLengths: [2] },
        { mask: booleanMask(random, [2, 4, 4], 0.5) },
        { slopes: [0.5, 0.25] },
        { sinks: [1, 0] },
        { scale: 0.1 },
        { softcap: 0.5 },
        { causal: true, offset: 1 },
      ]) {
        const label = Object.keys(options).join(', ');
        const got = layer.forward(x, memory, { ...options, weights: true });
        assert.deepEqual(got.weights.dims, [2, 4, 4]);
        assert.deepEqual(got.crossWeights.dims, [2, 4, 5]);
        assert.notEqual(explainBitDifference(got.weights, plain.weights), '', label);
        const rows = Array.from({ length: 8 }, (_, row) =>
          got.crossWeights.data.subarray(5 * row, 5 * row + 5).reduce((a, b) => a + b),
        );
        for (const sum of rows) assert.ok(Math.abs(sum - 1) < 1e-6, `${label}: ${sum}`);
      }
    });

    it('have their sizes as properties', () => {
      for (const layer of [encoderOf('sizes', { heads: 3 }), decoderOf('sizes', { heads: 3 })]) {
        assert.deepEqual([layer.heads, layer.keyDim, layer.modelDim], [3, 2, 6]);
        const cache = layer.createCache({ batch: 2, capacity: 5, sliding: true });
        assert.deepEqual([cache.capacity, cache.length], [5, 0]);
      }
    });

    it('accept a Map, and names below a prefix', () => {
      const random = seeded('dicts');
      const x = normalTensor(random, [2, 4, 6]);
      for (const [Layer, decoder] of [
        [TransformerEncoderLayer, false],
        [TransformerDecoderLayer, true],
      ]) {
        const state = stateOf(random, { decoder });
        const forward = (dict, construct) => {
          const layer = Layer.fromTorch(dict, { heads: 2, ...construct });
          const result = decoder ? layer.forward(x, x) : layer.forward(x);
          layer.delete();
          return result;
        };
        const want = forward(state);
        same(forward(new Map(Object.entries(state))), want);
        const prefix = 'transformer.layers.11.';
        const crowded = [
          ['transformer.layers.1.norm9', 'no tensor'],
          ['__proto__', 7],
        ].concat(Object.entries(prefixed(state, prefix)));
        same(forward(Object.fromEntries(crowded), { prefix }), want);
        same(forward(new Map(crowded), { prefix }), want);
      }
    });

    it('refuse unknown names, and name missing and wrong ones', () => {
      for (const [Layer, decoder] of [
        [TransformerEncoderLayer, false],
        [TransformerDecoderLayer, true],
      ]) {
        const state = stateOf(seeded('names'), { decoder });
        const has = (dict, options) => () => Layer.fromTorch(dict, { heads: 2, ...options });
        const tensor = state['linear1.bias'];
        const unknown = ['gamma', 'self_attn.gamma', 'norm4.weight', 'toString', '__proto__'];
        const wrong = prefixed({ ...state, 'linear1.weight': tensor }, 'p.');
        assertRefuses(has(wrong, { prefix: 'p.' }), RangeError, 'p.linear1.weight');
        for (const name of unknown.concat(decoder ? [] : ['norm3.weight', 'multihead_attn.x'])) {
          const dict = Object.fromEntries([...Object.entries(state), [name, tensor]]);
          assertRefuses(has(dict), RangeError, name);
        }
        for (const name of ['bias_k', 'bias_v']) {
          for (const part of decoder ? ['self_attn.', 'multihead_attn.'] : ['self_attn.']) {
            const refused = { ...state, [part + name]: tensor };
            assertRefuses(has(refused), RangeError, part + name);
          }
        }
        for (const name of Object.keys(state)) {
          const { [name]: _, ...rest } = state;
          if (name.endsWith('bias')) has(rest)().delete();
          else {
            assertRefuses(has(rest), RangeError, name);
            assertRefuses(has(prefixed(rest, 'p.'), { prefix: 'p.' }), RangeError, `p.${name}`);
          }
        }
      }
    });

    it('can be deleted twice, by Symbol.dispose too, and not used after', () => {
      const dispose = Symbol.dispose ?? 'delete';
      const x = normalTensor(seeded('x'), [4, 6]);
      for (const free of ['delete', dispose]) {
        for (const layer of [encoderOf('gone'), decoderOf('gone')]) {
          const alive = layer.constructor === TransformerDecoderLayer && decoderOf('alive');
          const seen = alive && layer.projectMemory(x);
          layer[free]();
          layer[free]();
          layer.delete();
          const uses = {
            forward: () => layer.forward(x, x),
            createCache: () => layer.createCache({ capacity: 3 }),
            heads: () => layer.heads,
            keyDim: () => layer.keyDim,
            modelDim: () => layer.modelDim,
          };
          if (alive) {
            uses.projectMemory = () => layer.projectMemory(x);
            assert.equal(seen.length, 4, 'its caches live on');
            seen.delete();
            const gone = { name: 'DeletedError', message: /^memory/ };
            assert.throws(() => alive.forward(x, seen), gone);
          } else uses.forward = () => layer.forward(x);
          const deleted = {
            name: 'DeletedError',
            message: new RegExp(layer.constructor.name),
          };
          for (const [name, use] of Object.entries(uses)) assert.throws(use, deleted, name);
        }
      }
    });
  });
}

// A translator of 2 encoder and 2 decoder layers with random weights; its output is meaningless but deterministic.
async function translator(kernels) {
  const api = await loadAttention({ kernels });
  const [model, wide, heads, vocabulary] = [64, 128, 4, 97];
  const random = seeded('translator');
  const table = normalTensor(random, [vocabulary, model], 2);
  // The output layer: the rows of the embedding in another order.
  const projection = pick(
    table,
    0,
    range(0, vocabulary).map((word) => (29 * word + 11) % vocabulary),
  );
  const layers = (Layer, decoder) =>
    [0, 1].map(() =>
      Layer.fromTorch(stateOf(random, { model, wide, decoder, part: 0.5 }), { heads }),
    );
  const encoders = layers(api.TransformerEncoderLayer, false);
  const decoders = layers(api.TransformerDecoderLayer, true);

  const embedded = (ids, offset) => {
    const { data, dims } = api.embed(ids, table);
    const places = api.sinusoidalPositions(ids.length, model, { offset });
    return { data: data.map((x, at) => x + places.data[at]), dims };
  };
  // The word with the largest logit for the last row.
  const choose = ({ data }) => {
    const row = data.subarray(data.length - model);
    const scores = range(0, vocabulary).map((word) =>
      row.reduce((sum, x, c) => sum + x * projection.data[word * model + c], 0),
    );
    return { word: scores.indexOf(Math.max(...scores)), row: row.slice() };
  };
  const encode = (ids) => encoders.reduce((x, layer) => layer.forward(x).output, embedded(ids, 0));

  /** `step(tokens)` returns the decoder's output; the result has tokens and last rows. */
  const generate = (count, step) => {
    const said = [1];
    const rows = [];
    while (rows.length < count) {
      const { word, row } = choose(step(said));
      said.push(word);
      rows.push(row);
    }
    return { said, rows };
  };
  return {
    withCaches(source, count) {
      const encoded = encode(source);
      const memories = decoders.map((layer) => layer.projectMemory(encoded));
      const caches = decoders.map((layer) => layer.createCache({ capacity: count }));
      const spoken = generate(count, (said) =>
        decoders.reduce(
          (x, layer, n) => layer.forward(x, memories[n], { cache: caches[n] }).output,
          embedded(said.slice(-1), said.length - 1),
        ),
      );
      for (const cache of [...memories, ...caches]) cache.delete();
      return spoken;
    },
    again(source, count) {
      const encoded = encode(source);
      return generate(count, (said) =>
        decoders.reduce(
          (x, layer) => layer.forward(x, encoded, { causal: true }).output,
          embedded(said, 0),
        ),
      );
    },
  };
}

describe('an encoder–decoder of two layers', () => {
  for (const [kernels, count] of [
    ['simd', 200],
    ['reference', 40], // fewer tokens, because it is slow
  ]) {
    it(`generates the same ${count} tokens with caches as without, ${kernels} kernels`, async () => {
      const { withCaches, again } = await translator(kernels);
      const source = [5, 17, 3, 96, 0, 42, 8];
      const cached = withCaches(source, count);
      const recomputed = again(source, count);
      assert.equal(cached.said.length, count + 1);
      assert.deepEqual(cached.said, recomputed.said);
      cached.rows.forEach((row, at) =>
        assert.deepEqual(row, recomputed.rows[at], `row ${at}, its bits`),
      );
      assert.ok(new Set(cached.said).size > 10, 'it says more than one word');
    });
  }
});

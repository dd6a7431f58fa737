// TransformerLayer: every block and their combinations against the oracle; caches give the bits of one call, masked values
// have no influence, projections are those of the dot product. fast-check draws layers and calls from a fixed seed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import fc from 'fast-check';

import {
  arbitraryLayer,
  arbitraryNorms,
  arbitraryVectors,
  makeLayer,
} from '../../support/js/arbitrary_layers.js';
import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { resultDigest } from '../../support/js/digest.js';
import { asBfloat16, asFloat32, asInt8 } from '../../support/js/narrowed.js';
import { integerWeights } from '../../support/js/oracle_integers.js';
import { oracleLayer } from '../../support/js/oracle_layer.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { fill, filled, pick, range, rowsOf } from '../../support/js/rearrange.js';
import { same } from '../../support/js/same_results.js';
import { runCount } from '../../support/js/run_count.js';

const SEED = 2026;
const largest = ({ data }) => data.reduce((a, x) => Math.max(a, Math.abs(x)), 0);

// A float32 run of the definition measures the effect of rounding, which norms of rows near 0 can amplify.
function toleranceOf(exact, naive) {
  const off = naive.data.map((x, at) => x - exact.data[at]);
  return 4 * largest({ data: off }) + 32 * 2 ** -24 * (1 + largest(exact));
}

/** The weights with every matrix changed. */
const everyMatrix = (weights, change) =>
  Object.fromEntries(
    Object.entries(weights).map(([name, part]) => {
      if (!part.dims) return [name, everyMatrix(part, change)];
      return [name, part.dims.length === 2 && name !== 'relativeBias' ? change(part) : part];
    }),
  );

/** Compares results with the oracle's; an average of the oracle is in `weights` here. */
function agrees(got, { weights, options, x, call }, average = false) {
  const exact = oracleLayer(weights, options, x, call);
  const naive = oracleLayer(weights, options, x, call, Math.fround);
  for (const name of Object.keys(got)) {
    const theirs = average
      ? ({ weights: 'averageWeights', crossWeights: 'averageCrossWeights' }[name] ?? name)
      : name;
    const tolerance = toleranceOf(exact[theirs], naive[theirs]);
    assert.equal(explainDifference(got[name], exact[theirs], tolerance), '', name);
  }
}

const holds = (name, check, numRuns = 100, layers = arbitraryLayer) =>
  it(name, () => fc.assert(fc.property(layers, check), { seed: SEED, numRuns: runCount(numRuns) }));

// These change only with those of digest.test.js, or with the way layers are drawn.
const expected = {
  simd: '9b6d3f965fa524bd',
  reference: '6fd0ac1dd85f77cc',
};

for (const kernels of ['simd', 'reference']) {
  describe(`TransformerLayer, ${kernels} kernels`, async () => {
    const { TransformerLayer } = await loadAttention({ kernels });

    holds(
      'is what the oracle says with norms over heads, of outputs, or none before the sublayers',
      (drawn) => {
        const made = makeLayer(drawn);
        const layer = TransformerLayer.fromWeights(made.weights, made.options);
        const got = layer.forward(made.x, { ...made.call, projections: true });
        agrees(got, made);
        layer.delete();
      },
      100,
      arbitraryNorms,
    );

    holds(
      'is what the oracle says with position vectors',
      (drawn) => {
        const made = makeLayer(drawn);
        const layer = TransformerLayer.fromWeights(made.weights, made.options);
        const shown = { weights: true, projections: true };
        agrees(layer.forward(made.x, { ...made.call, ...shown }), made);
        layer.delete();
      },
      100,
      arbitraryVectors,
    );

    holds(
      'is what the oracle says, with all that it can show',
      (drawn) => {
        const made = makeLayer(drawn);
        const layer = TransformerLayer.fromWeights(made.weights, made.options);
        const got = layer.forward(made.x, { ...made.call, weights: true, projections: true });
        const names = ['output', 'weights', 'query', 'key', 'value'];
        if (made.call.memory) names.push('crossWeights', 'crossQuery', 'crossKey', 'crossValue');
        assert.deepEqual(Object.keys(got).sort(), names.sort());
        agrees(got, made);
        same(layer.forward(made.x, made.call), { output: got.output });
        const averaged = layer.forward(made.x, { ...made.call, weights: 'average' });
        assert.equal(explainBitDifference(averaged.output, got.output), '');
        agrees(averaged, made, true);
        layer.delete();
      },
      300,
    );

    holds('is with a cache, step by step, what it is at once', (drawn) => {
      const made = makeLayer({ ...drawn, call: { causal: true, window: drawn.call.window } });
      const layer = TransformerLayer.fromWeights(made.weights, made.options);
      const shown = { weights: true, projections: true };
      const { x, call } = made;
      const whole = layer.forward(x, { ...call, ...shown });
      const random = seeded(drawn.seed);
      const length = x.dims.at(-2);
      const cache = layer.createCache({ batch: drawn.lead[0], capacity: length });
      const memory = call.memory && layer.projectMemory(call.memory);
      for (let at = 0; at < length;) {
        const to = Math.min(length, at + random.integer(1, 4));
        const got = layer.forward(rowsOf(x, at, to), {
          ...call,
          ...shown,
          cache,
          ...(memory && random.chance(0.5) && { memory }),
        });
        const want = { ...whole };
        for (const name of ['output', 'query', 'crossQuery', 'weights', 'crossWeights']) {
          if (want[name]) want[name] = rowsOf(want[name], at, to);
        }
        want.weights = pick(want.weights, want.weights.dims.length - 1, range(0, to));
        for (const name of ['key', 'value']) want[name] = rowsOf(want[name], 0, to);
        same(got, want, `${at} to ${to} of ${length}`);
        at = to;
        assert.equal(cache.length, to);
      }
      for (const object of [cache, memory, layer]) object?.delete();
    });

    holds(
      'gives each entry of a batch what it gives it alone',
      (drawn) => {
        const made = makeLayer({ ...drawn, lead: [3], call: { causal: drawn.call.causal } });
        const layer = TransformerLayer.fromWeights(made.weights, made.options);
        const options = { ...made.call, weights: true, projections: true };
        const together = layer.forward(made.x, options);
        for (let entry = 0; entry < 3; entry++) {
          const only = (tensor) => pick(tensor, 0, [entry]);
          const memory = options.memory && only(options.memory);
          const alone = layer.forward(only(made.x), { ...options, memory });
          const want = Object.entries(together).map(([name, tensor]) => [name, only(tensor)]);
          same(alone, Object.fromEntries(want));
        }
        layer.delete();
      },
      40,
    );

    holds(
      'feels nothing of what is hidden, NaN or not',
      (drawn) => {
        const made = makeLayer({ ...drawn, lead: [], length: 5, call: { keyLengths: false } });
        const layer = TransformerLayer.fromWeights(made.weights, made.options);
        const options = { ...made.call, keyLengths: [3], weights: true };
        if (made.call.memory) options.crossKeyLengths = [0];
        const want = layer.forward(made.x, options);
        const spoilt = filled(made.x, [], 0);
        for (const row of [3, 4]) fill(spoilt, [row], NaN);
        const memory = made.call.memory && filled(made.call.memory, [], 0);
        if (memory) fill(memory, [], NaN);
        const got = layer.forward(spoilt, { ...options, memory });
        same({ output: rowsOf(got.output, 0, 3) }, { output: rowsOf(want.output, 0, 3) });
        // The rows that are not numbers are queries too.
        assert.ok(rowsOf(got.output, 3, 5).data.every(Number.isNaN));
        if (memory) assert.ok(got.crossWeights.data.every((weight) => weight === 0));
        layer.delete();
      },
      40,
    );

    it('counts rotary and relative positions from the length of a sliding cache', () => {
      const random = seeded('sliding');
      const matrix = (...dims) => normalTensor(random, dims, 0.5);
      const weights = {
        self: {
          query: matrix(8, 6),
          key: matrix(8, 6),
          value: matrix(8, 6),
          output: matrix(6, 8),
          relativeBias: matrix(4, 2),
        },
        selfNorm: matrix(6),
        feedForwardNorm: matrix(6),
        widen: matrix(10, 6),
        narrow: matrix(6, 10),
      };
      const options = {
        heads: 2,
        rotary: { width: 2 },
        relativePositions: { maxDistance: 4, bidirectional: false },
      };
      const layer = TransformerLayer.fromWeights(weights, options);
      const x = matrix(20, 6);
      const { output } = layer.forward(x, { causal: true, window: [3, 0] });
      const cache = layer.createCache({ capacity: 4, sliding: true });
      for (let at = 0; at < 20; at++) {
        const got = layer.forward(rowsOf(x, at, at + 1), { cache, projections: true });
        same({ output: got.output }, { output: rowsOf(output, at, at + 1) });
        assert.deepEqual(got.key.dims, [2, Math.min(4, at + 1), 4]);
      }
      assert.deepEqual([cache.length, cache.keptLength], [20, 4]);
    });

    const resultsOf = (weights, { options, x, call }) => {
      const layer = TransformerLayer.fromWeights(weights, options);
      const results = layer.forward(x, { ...call, projections: true });
      layer.delete();
      return results;
    };

    holds(
      'has the bits of bfloat16 weights as float32',
      (drawn) => {
        const made = makeLayer(drawn);
        const narrowed = everyMatrix(made.weights, asBfloat16);
        same(resultsOf(narrowed, made), resultsOf(everyMatrix(narrowed, asFloat32), made));
      },
      40,
    );

    holds(
      'multiplies int8 weights as integers',
      (drawn) => {
        const made = makeLayer(drawn);
        const { options, x, call } = made;
        const narrowed = everyMatrix(made.weights, asInt8);
        const oracle = (nudge, round) => {
          const toOracle = (tensor) => integerWeights(tensor, options.layout, nudge);
          return oracleLayer(everyMatrix(narrowed, toOracle), options, x, call, round);
        };
        // Numbers so near to the middle between two integers may be rounded to either.
        const nudge = 2 ** -8;
        const exact = oracle(0);
        const naive = oracle(0, Math.fround);
        const others = [oracle(nudge), oracle(-nudge)];
        for (const [name, tensor] of Object.entries(resultsOf(narrowed, made))) {
          const spread = others.map((other) =>
            largest({ data: other[name].data.map((n, at) => n - exact[name].data[at]) }),
          );
          const tolerance = toleranceOf(exact[name], naive[name]) + 2 * Math.max(...spread);
          assert.equal(explainDifference(tensor, exact[name], tolerance), '', name);
        }
      },
      40,
    );

    it('has the bits that it had', () => {
      const digest = resultDigest();
      fc.sample(arbitraryLayer, { seed: SEED, numRuns: 60 }).forEach((drawn, at) => {
        const { weights, options, x, call } = makeLayer(drawn);
        const layer = TransformerLayer.fromWeights(weights, options);
        const shown = { weights: true, projections: true };
        digest.add(`layer ${at}`, layer.forward(x, { ...call, ...shown }));
        layer.delete();
      });
      assert.equal(digest.hex().slice(0, 16), expected[kernels]);
    });

    it('has its sizes as properties', () => {
      const made = makeLayer({ ...fc.sample(arbitraryLayer, { seed: 1, numRuns: 1 })[0] });
      const layer = TransformerLayer.fromWeights(made.weights, made.options);
      const { heads, kvHeads } = made.options;
      assert.deepEqual([layer.heads, layer.kvHeads], [heads, kvHeads]);
      assert.equal(layer.modelDim, made.x.dims.at(-1));
      const { key, value } = layer.forward(made.x, { ...made.call, projections: true });
      assert.deepEqual([layer.keyDim, layer.valueDim], [key.dims.at(-1), value.dims.at(-1)]);
    });

    it('throws after delete()', () => {
      const { weights, options, x } = makeLayer(
        fc.sample(arbitraryLayer, { seed: 1, numRuns: 1 })[0],
      );
      const layer = TransformerLayer.fromWeights(weights, options);
      layer.delete();
      layer.delete();
      for (const use of ['forward', 'projectMemory', 'createCache']) {
        assert.throws(() => layer[use](use === 'createCache' ? { capacity: 3 } : x), {
          name: 'DeletedError',
        });
      }
      for (const size of ['heads', 'kvHeads', 'keyDim', 'valueDim', 'modelDim']) {
        assert.throws(() => layer[size], { name: 'DeletedError' }, size);
      }
    });
  });
}

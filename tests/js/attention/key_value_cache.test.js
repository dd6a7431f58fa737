// KeyValueCache: decoding in any steps gives the bits of the full pass; sliding, rewinding, errors.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';
import fc from 'fast-check';

import { arbitraryCall, makeCall } from '../../support/js/arbitrary_calls.js';
import { explainBitDifference } from '../../support/js/compare.js';
import { attentionShape } from '../../support/js/oracle.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { runCount } from '../../support/js/run_count.js';
import { filled, pick, reshape } from '../../support/js/rearrange.js';
import { assertRefuses } from '../../support/js/refusals.js';

const SEED = 2018;

const range = (from, to) => Array.from({ length: to - from }, (_, at) => from + at);
const positions = (tensor) => (tensor.dims.length === 3 ? 1 : tensor.dims.length - 2);
const rowsOf = (tensor, from, to) => pick(tensor, positions(tensor), range(from, to));

/** A cache for the keys and values of a call. */
function cacheFor({ KeyValueCache }, { query, key, value, options }, more = {}) {
  const { batch, kvHeads, keyDim, valueDim, kLen } = attentionShape(query, key, value, options);
  return new KeyValueCache({ batch, kvHeads, keyDim, valueDim, capacity: kLen, ...more });
}

function append(cache, { key, value }, from, to) {
  return cache.append(rowsOf(key, from, to), rowsOf(value, from, to));
}

/** Options of a full pass restricted to rows from..to, with only the keys before `to`. */
function optionsUpTo({ mask, keyLengths, ...options }, from, to) {
  if (keyLengths) options.keyLengths = keyLengths.map((length) => Math.min(length, to));
  if (!mask) return options;
  const rows = mask.dims[2] === 1 ? mask : pick(mask, 2, range(from, to));
  return { ...options, mask: rows.dims[3] === 1 ? rows : pick(rows, 3, range(0, to)) };
}

/** Rows from … to - 1 of the results of a full pass, with only the keys before `to`. */
function partOf({ output, ...square }, from, to) {
  const part = { output: rowsOf(output, from, to) };
  for (const [name, tensor] of Object.entries(square)) {
    const last = tensor.dims.length - 1;
    const rows = range(from, to);
    part[name] =
      name === 'logSumExp'
        ? pick(tensor, last, rows)
        : pick(pick(tensor, last - 1, rows), last, range(0, to));
  }
  return part;
}

function same(got, want, label = '') {
  for (const name of Object.keys(want)) {
    assert.equal(explainBitDifference(got[name], want[name]), '', `${name} ${label}`);
  }
}

/** Lengths that add up to `whole`. */
function pieces(random, whole) {
  const counts = [];
  for (let left = whole; left > 0; left -= counts.at(-1)) {
    const max = random.chance(0.5) ? 3 : 80;
    counts.push(random.integer(1, Math.min(left, max)));
  }
  return counts;
}

for (const kernels of ['simd', 'reference']) {
  describe(`KeyValueCache, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });
    const { attention } = api;

    // Decodes a call in steps and compares every step with the whole causal pass.
    function decodesAs(call, counts, asked = {}) {
      const { query, key, value, options } = call;
      const whole = attention(query, key, value, { ...options, ...asked });
      const cache = cacheFor(api, call);
      let at = 0;
      for (const count of counts) {
        const to = at + count;
        assert.equal(append(cache, call, at, to), to);
        const given = { ...optionsUpTo(options, at, to), ...asked };
        same(cache.attend(rowsOf(query, at, to), given), partOf(whole, at, to), `${at} to ${to}`);
        at = to;
      }
      cache.delete();
    }

    // As many queries as keys, causal, at the positions a cache supplies.
    function selfCall(drawn) {
      const call = makeCall({ ...drawn, qLen: drawn.kLen });
      const { offset: _, ...options } = call.options;
      return { ...call, options };
    }

    it('decodes any call in any steps as the whole causal pass, bit by bit', () => {
      const calls = arbitraryCall({ ranks: [2, 3, 4], needed: ['causal'], work: 4e5 }).filter(
        ({ kLen, batch, kvHeads, group, keyDim, valueDim }) =>
          kLen * kLen * batch * kvHeads * group * (keyDim + valueDim) < 2e6,
      );
      const once = (drawn) => {
        const counts = pieces(seeded(`pieces ${drawn.seed}`), drawn.kLen);
        const call = selfCall(drawn);
        decodesAs(call, counts);
        decodesAs(call, counts, { weights: true, logSumExp: true, scores: 'biased' });
        decodesAs(call, counts, { weights: 'average' });
      };
      fc.assert(fc.property(calls, once), { seed: SEED, numRuns: runCount(80) });
    });

    for (const kLen of [1, 63, 64, 65, 127, 255, 256, 257, 300]) {
      it(`decodes ${kLen} tokens one by one as the whole causal pass, bit by bit`, () => {
        const random = seeded(`one by one ${kLen}`);
        const options = { heads: 6, kvHeads: 2, causal: true };
        const query = normalTensor(random, [2, kLen, 6 * 5]);
        const key = normalTensor(random, [2, kLen, 2 * 5]);
        const value = normalTensor(random, [2, kLen, 2 * 3]);
        decodesAs({ query, key, value, options }, Array(kLen).fill(1));
      });
    }

    it('uses its own head counts by default', () => {
      const random = seeded('own heads');
      const cache = new api.KeyValueCache({ kvHeads: 3, keyDim: 4, valueDim: 2, capacity: 5 });
      cache.append(normalTensor(random, [5, 12]), normalTensor(random, [5, 6]));
      const query = normalTensor(random, [2, 12]);
      const asked = { causal: true, weights: true, scores: 'raw', logSumExp: true };
      const named = cache.attend(query, { heads: 3, ...asked });
      assert.deepEqual(named.weights.dims, [3, 2, 5]);
      const unnamed = cache.attend(query, asked);
      same({ output: unnamed.output }, { output: named.output });
      // Heads as an axis or side by side; the numbers are the same.
      for (const name of ['weights', 'scores', 'logSumExp']) {
        assert.deepEqual([...unnamed[name].data], [...named[name].data], name);
      }
      const average = { heads: 3, causal: true, weights: 'average' };
      const { heads: _, ...without } = average;
      same(cache.attend(query, without), cache.attend(query, average));
    });

    it('returns all results of attention(), and only requested ones', () => {
      const call = selfCall({ ...plainCall, kLen: 6 });
      const cache = cacheFor(api, call);
      append(cache, call, 0, 6);
      const { query, options } = call;
      assert.deepEqual(Object.keys(cache.attend(query, options)), ['output']);
      const asked = { weights: true, scores: 'raw', logSumExp: true };
      const whole = attention(query, call.key, call.value, { ...options, ...asked });
      const got = cache.attend(query, { ...options, ...asked });
      assert.deepEqual(Object.keys(got).sort(), Object.keys(whole).sort());
      same(got, whole);
    });

    it('attends to all of its keys without causal', () => {
      const call = makeCall({ ...plainCall, options: [], qLen: 3, kLen: 70 });
      const cache = cacheFor(api, call);
      append(cache, call, 0, 70);
      const { query, key, value } = call;
      same(cache.attend(query, { weights: true }), attention(query, key, value, { weights: true }));
    });

    it('is not changed by attending, or by later changes of its arguments', () => {
      const call = selfCall({ ...plainCall, kLen: 70 });
      const cache = cacheFor(api, call);
      const key = filled(call.key, [], 0);
      const value = filled(call.value, [], 0);
      cache.append(key, value);
      const before = cache.attend(call.query, call.options);
      key.data.fill(NaN);
      value.data.fill(NaN);
      cache.attend(filled(call.query, [[]], NaN), call.options);
      same(cache.attend(call.query, call.options), before);
      assert.equal(cache.length, 70);
    });

    it('keeps two caches apart', () => {
      const [one, other] = ['one', 'other'].map((seed) =>
        selfCall({ ...plainCall, kLen: 9, seed: seed.length }),
      );
      const caches = [cacheFor(api, one), cacheFor(api, other)];
      for (let at = 0; at < 9; at++) {
        append(caches[0], one, at, at + 1);
        append(caches[1], other, at, at + 1);
      }
      [one, other].forEach(({ query, key, value, options }, which) => {
        same(caches[which].attend(query, options), attention(query, key, value, options));
      });
    });

    it('converts half precision to float32', () => {
      const bits = Uint16Array.from({ length: 12 }, (_, at) => 0x3c00 + 37 * at);
      const half = { data: bits, dims: [3, 4], type: 'bfloat16' };
      const float = reshape(
        { data: new Float32Array(Uint32Array.from(bits, (x) => x << 16).buffer) },
        [3, 4],
      );
      const [a, b] = [0, 1].map(() => new api.KeyValueCache({ keyDim: 4, capacity: 3 }));
      a.append(half, half);
      b.append(float, float);
      same(a.attend(half, { weights: true }), b.attend(float, { weights: true }));
    });

    describe('sliding', () => {
      for (const capacity of [1, 3, 64, 65]) {
        it(`one by one is a window over the last ${capacity}, bit by bit`, () => {
          const call = selfCall({ ...plainCall, kLen: 200 });
          const { query, key, value, options } = call;
          const window = [capacity - 1, 0];
          const asked = { logSumExp: true };
          const whole = attention(query, key, value, { ...options, ...asked, window });
          const cache = cacheFor(api, call, { capacity, sliding: true });
          for (let at = 0; at < 200; at++) {
            assert.equal(append(cache, call, at, at + 1), at + 1);
            assert.equal(cache.keptLength, Math.min(at + 1, capacity));
            const got = cache.attend(rowsOf(query, at, at + 1), { ...options, ...asked });
            same(
              got,
              { output: rowsOf(whole.output, at, at + 1), logSumExp: row(whole.logSumExp, at) },
              `row ${at}`,
            );
          }
        });
      }

      it('in steps attends to the retained keys, up to each query with causal', () => {
        const random = seeded('sliding pieces');
        for (const capacity of [2, 7, 64, 100]) {
          const call = selfCall({ ...plainCall, kLen: 230 });
          const { query, key, value, options } = call;
          const cache = cacheFor(api, call, { capacity, sliding: true });
          let at = 0;
          for (const count of pieces(random, 230)) {
            const to = at + count;
            append(cache, call, at, to);
            const first = Math.max(0, to - capacity);
            assert.deepEqual([cache.length, cache.keptLength], [to, to - first]);
            const asked = { ...options, weights: true };
            const got = cache.attend(rowsOf(query, at, to), asked);
            const kept = { ...asked, offset: at - first };
            const want = attention(
              rowsOf(query, at, to),
              rowsOf(key, first, to),
              rowsOf(value, first, to),
              kept,
            );
            assert.deepEqual(got.weights.dims, want.weights.dims);
            // Tiles begin at other keys, so the order of sums differs.
            near(got.output, want.output);
            near(got.weights, want.weights);
            at = to;
          }
        }
      });

      it('accepts more keys than its capacity, and retains the last ones', () => {
        const call = selfCall({ ...plainCall, kLen: 150 });
        const [whole, steps] = [0, 1].map(() =>
          cacheFor(api, call, { capacity: 40, sliding: true }),
        );
        append(whole, call, 0, 150);
        for (let at = 0; at < 150; at++) append(steps, call, at, at + 1);
        const query = rowsOf(call.query, 149, 150);
        same(whole.attend(query, { weights: true }), steps.attend(query, { weights: true }));
      });

      it('is unaffected by an evicted NaN', () => {
        const cache = new api.KeyValueCache({ keyDim: 2, capacity: 2, sliding: true });
        const row = (number) => ({ data: new Float32Array(2).fill(number), dims: [1, 2] });
        cache.append(row(NaN), row(NaN));
        assert.ok(cache.attend(row(1)).output.data.every(Number.isNaN));
        for (const number of [1, 2]) cache.append(row(number), row(number));
        assert.ok(cache.attend(row(1)).output.data.every(Number.isFinite));
      });

      it('masks and keyLengths refer to the retained keys', () => {
        const call = selfCall({ ...plainCall, batch: 1, kvHeads: 1, group: 1, kLen: 5 });
        const cache = cacheFor(api, call, { capacity: 3, sliding: true });
        append(cache, call, 0, 5);
        const query = rowsOf(call.query, 4, 5);
        const zeroAt = (options) => {
          const { weights } = cache.attend(query, { ...options, weights: true });
          return [...weights.data].map((weight) => weight === 0);
        };
        const mask = { data: Uint8Array.of(1, 0, 1), dims: [3] };
        assert.deepEqual(zeroAt({ mask }), [false, true, false]);
        assert.deepEqual(zeroAt({ keyLengths: [1] }), [false, true, true]);
        assert.deepEqual(zeroAt({ window: [0, 0] }), [true, true, false]);
      });
    });

    describe('copyEntry()', () => {
      for (const sliding of [false, true]) {
        it(`makes one batch entry continue as another: ${sliding ? 'sliding' : 'plain'}`, () => {
          const call = selfCall({ ...plainCall, batch: 3, kLen: 300 });
          for (const at of [1, 9, 256, 270]) {
            const more = sliding ? { sliding, capacity: 100 } : {};
            const [cache, want] = [0, 1].map(() => cacheFor(api, call, more));
            append(cache, call, 0, at);
            cache.copyEntry(0, 2);
            const copied = Object.fromEntries(
              ['key', 'value'].map((name) => [name, pick(call[name], 0, [0, 1, 0])]),
            );
            append(want, copied, 0, at);
            for (const one of [cache, want]) append(one, call, at, at + 7);
            const query = rowsOf(call.query, at, at + 7);
            const options = { ...call.options, weights: true };
            delete options.offset;
            same(cache.attend(query, options), want.attend(query, options), `${at}`);
            for (const one of [cache, want]) one.delete();
          }
        });
      }
    });

    describe('rewind() and clear()', () => {
      for (const kept of [0, 1, 5, 63, 64, 65, 99]) {
        it(`to ${kept} of 100 remove all effects of later keys, NaN included`, () => {
          const call = selfCall({ ...plainCall, kLen: 100 });
          const { query, key, value, options } = call;
          const whole = attention(query, key, value, { ...options, weights: true });
          for (const number of [7, NaN]) {
            const cache = cacheFor(api, call);
            append(cache, call, 0, kept);
            const wrong = {
              key: filled(call.key, [[]], number),
              value: filled(call.value, [[]], number),
            };
            append(cache, wrong, kept, 100);
            if (kept === 0) cache.clear();
            else cache.rewind(kept);
            assert.equal(cache.length, kept);
            assert.equal(cache.keptLength, kept);
            append(cache, call, kept, 100);
            same(cache.attend(query, { ...options, weights: true }), whole);
          }
        });
      }

      it('leave keys before the length unchanged', () => {
        const call = selfCall({ ...plainCall, kLen: 90 });
        const cache = cacheFor(api, call);
        append(cache, call, 0, 70);
        const query = rowsOf(call.query, 67, 70);
        const before = cache.attend(query, { ...call.options, weights: true });
        append(cache, call, 70, 90);
        cache.rewind(70);
        same(cache.attend(query, { ...call.options, weights: true }), before);
      });

      it('of a sliding cache: to retained keys, or to none', () => {
        const call = selfCall({ ...plainCall, kLen: 10 });
        const cache = cacheFor(api, call, { capacity: 4, sliding: true });
        append(cache, call, 0, 10);
        cache.rewind(8);
        assert.deepEqual([cache.length, cache.keptLength], [8, 2]);
        append(cache, call, 8, 10);
        const query = rowsOf(call.query, 9, 10);
        const got = cache.attend(query);
        const keys = [rowsOf(call.key, 6, 10), rowsOf(call.value, 6, 10)];
        near(got.output, attention(query, ...keys).output);
        assertRefuses(() => cache.rewind(5), RangeError, 'length');
        cache.clear();
        assert.deepEqual([cache.length, cache.keptLength], [0, 0]);
        const fresh = cacheFor(api, call, { capacity: 4, sliding: true });
        for (const one of [cache, fresh]) append(one, call, 0, 7);
        same(cache.attend(query, { weights: true }), fresh.attend(query, { weights: true }));
      });
    });

    describe('a refused call changes nothing', () => {
      it('with keys beyond the capacity, or another shape', () => {
        const call = selfCall({ ...plainCall, batch: 2, kLen: 70 });
        const cache = cacheFor(api, call);
        append(cache, call, 0, 66);
        const query = rowsOf(call.query, 60, 66);
        const before = cache.attend(query, { ...call.options, weights: true });
        const bytes = api.memoryBytes();
        const { key, value } = call;
        const wrong = [
          [() => append(cache, call, 0, 5), 'cache'],
          [() => cache.append(rowsOf(key, 0, 2), rowsOf(value, 0, 1)), 'value'],
          [() => cache.append(pick(key, 0, [0]), pick(value, 0, [0])), 'key'],
          [() => cache.append(rowsOf(key, 0, 1), pick(rowsOf(value, 0, 1), 3, [0])), 'value'],
        ];
        for (const [call, argument] of wrong) {
          assertRefuses(call, RangeError, argument);
          assert.deepEqual([cache.length, cache.keptLength, cache.capacity], [66, 66, 70]);
          same(cache.attend(query, { ...call.options, causal: true, weights: true }), before);
        }
        assert.equal(api.memoryBytes(), bytes);
        append(cache, call, 66, 70);
        const { options } = call;
        same(cache.attend(call.query, options), attention(call.query, key, value, options));
      });

      it('with a cache of another loadAttention()', async () => {
        const other = await loadAttention({ kernels });
        const foreign = new other.KeyValueCache({ keyDim: 4, capacity: 2 });
        const square = normalTensor(seeded('square'), [4, 4]);
        const layer = api.MultiHeadAttention.fromWeights(
          { query: square, key: square, value: square, output: square },
          { heads: 1 },
        );
        const refused = (name) => ({
          name: 'TypeError',
          message: `${name} belongs to another loadAttention()`,
        });
        assert.throws(() => layer.forward(square, undefined, { cache: foreign }), refused('cache'));
        assert.throws(() => layer.forward(square, foreign), refused('context'));
        const { attend } = api.KeyValueCache.prototype;
        assert.throws(() => attend.call(foreign, square), { name: 'TypeError' });
        assert.throws(() => attend.call(layer, square), { name: 'TypeError' });
        assert.equal(foreign.length, 0);
      });
    });

    it('can be subclassed, and not imitated', () => {
      class Named extends api.KeyValueCache {}
      const square = normalTensor(seeded('square'), [4, 4]);
      const layer = api.MultiHeadAttention.fromWeights(
        { query: square, key: square, value: square, output: square },
        { heads: 1 },
      );
      const named = new Named({ keyDim: 4, capacity: 8 });
      const { output } = layer.forward(square, undefined, { cache: named, causal: true });
      same({ output }, layer.forward(square, undefined, { causal: true }));
      const { constructor } = layer;
      layer.constructor = api.KeyValueCache;
      assertRefuses(() => layer.forward(square, undefined, { cache: layer }), TypeError, 'cache');
      layer.constructor = constructor;
    });

    it('can be deleted twice, by Symbol.dispose too, and not used after', () => {
      const dispose = Symbol.dispose ?? 'delete';
      for (const free of ['delete', dispose]) {
        const cache = new api.KeyValueCache({ keyDim: 2, capacity: 2 });
        const row = { data: new Float32Array(2), dims: [1, 2] };
        cache.append(row, row);
        cache[free]();
        cache[free]();
        cache.delete();
        const uses = {
          append: () => cache.append(row, row),
          attend: () => cache.attend(row),
          length: () => cache.length,
          keptLength: () => cache.keptLength,
          capacity: () => cache.capacity,
          clear: () => cache.clear(),
          rewind: () => cache.rewind(0),
          copyEntry: () => cache.copyEntry(0, 0),
        };
        for (const [name, use] of Object.entries(uses)) {
          const deleted = { name: 'DeletedError', message: /KeyValueCache/ };
          assert.throws(use, deleted, name);
        }
      }
    });
  });
}

// A call whose shape does not matter.
const plainCall = {
  seed: 1,
  rank: 4,
  batch: 2,
  kvHeads: 2,
  group: 2,
  qLen: 1,
  kLen: 1,
  keyDim: 5,
  valueDim: 3,
  spread: 1,
  options: ['causal'],
  mask: 'none',
  maskAxes: 0,
};

const row = (tensor, at) => pick(tensor, tensor.dims.length - 1, [at]);

// Equal up to the order of additions; values are below 6.
function near(got, want) {
  assert.deepEqual(got.dims, want.dims);
  got.data.forEach((number, at) => {
    const off = Math.abs(number - want.data[at]);
    assert.ok(off <= 2 ** -18, `${number} instead of ${want.data[at]}`);
  });
}

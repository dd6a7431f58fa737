// embed(), sinusoidalPositions() and alibiSlopes(): results and errors.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { oracleAlibiSlopes, oracleSinusoidalPositions } from '../../support/js/oracle_positions.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { assertRefuses } from '../../support/js/refusals.js';

const { attention, embed, sinusoidalPositions, alibiSlopes, memoryBytes } = await loadAttention();
const EPSILON = 2 ** -24;

function refuses(call, name, message) {
  const before = memoryBytes();
  assert.throws(call, { name, message });
  assert.equal(memoryBytes(), before, 'nothing was allocated');
}

describe('embed()', () => {
  const table = normalTensor(seeded('table'), [5, 3]);
  const rows = (...ids) => ids.flatMap((id) => [...table.data.subarray(3 * id, 3 * id + 3)]);

  for (const [what, ids] of [
    ['an array', [4, 0, 4, 2]],
    ['integers', Int32Array.of(4, 0, 4, 2)],
    ['bytes', Uint8Array.of(4, 0, 4, 2)],
    ['64-bit integers', BigInt64Array.of(4n, 0n, 4n, 2n)],
    ['floats', Float64Array.of(4, 0, 4, 2)],
    ['bigints in an array', [4n, 0, 4n, 2]],
    ['a tensor', { data: [4, 0, 4, 2], dims: [4] }],
    ['a tensor of 64-bit integers', { data: BigInt64Array.of(4n, 0n, 4n, 2n), dims: [4] }],
  ]) {
    it(`looks up ${what}`, () => {
      const got = embed(ids, table);
      assert.deepEqual(got.dims, [4, 3]);
      assert.ok(got.data instanceof Float32Array);
      assert.deepEqual([...got.data], rows(4, 0, 4, 2));
    });
  }

  it('keeps the dims of the ids', () => {
    const ids = { data: Int32Array.of(1, 2, 3, 0, 4, 4), dims: [2, 3] };
    const got = embed(ids, table);
    assert.deepEqual(got, { data: Float32Array.from(rows(1, 2, 3, 0, 4, 4)), dims: [2, 3, 3] });
    const { output } = attention(got, got, got);
    assert.deepEqual(output.dims, [2, 3, 3]);
    assert.deepEqual(embed({ data: [3], dims: [] }, table).dims, [3]);
  });

  it('looks up an empty list in any table', () => {
    assert.deepEqual(embed([], table), { data: new Float32Array(0), dims: [0, 3] });
    const empty = { data: new Float32Array(0), dims: [0, 3] };
    assert.deepEqual(embed([], empty), { data: new Float32Array(0), dims: [0, 3] });
    const narrow = { data: new Float64Array(0), dims: [5, 0] };
    assert.deepEqual(embed([1, 2], narrow), { data: new Float32Array(0), dims: [2, 0] });
  });

  it('converts low-precision tables, and returns copies', () => {
    const double = { data: Float64Array.of(0.1, 0.2, 0.3, 0.4), dims: [2, 2] };
    assert.deepEqual(embed([1, 0], double).data, Float32Array.of(0.3, 0.4, 0.1, 0.2));
    const half = { data: Uint16Array.of(0x3c00, 0xc000), dims: [2, 1], type: 'float16' };
    assert.deepEqual(embed([1, 0, 1], half).data, Float32Array.of(-2, 1, -2));
    const brain = { data: Uint16Array.of(0x3f80, 0xc000), dims: [2, 1], type: 'bfloat16' };
    assert.deepEqual(embed([1, 0], brain).data, Float32Array.of(-2, 1));
    const got = embed([0], table);
    got.data.fill(0);
    assert.notEqual(table.data[0], 0);
  });

  it('preserves all bits, also those of NaN', () => {
    const odd = { data: Float32Array.of(NaN, -0, Infinity, 1e-45), dims: [2, 2] };
    assert.equal(explainBitDifference(embed([0, 1], odd), odd), '');
  });

  const list = 'ids must be an array of whole numbers or a tensor { data, dims }, found ';
  for (const [message, given, expected] of [
    ['ids[0] is 5 but must be a whole number from 0 to 4', [5]],
    [`${list}undefined`, undefined, 'TypeError'],
    [
      'table has dims 6 but must have 2: vocabulary × d',
      [0],
      { data: new Float32Array(6), dims: [6] },
    ],
  ]) {
    const [name, ofTable] =
      typeof expected === 'string' ? [expected, table] : ['RangeError', expected ?? table];
    it(`refuses: ${message}`, () => refuses(() => embed(given, ofTable), name, message));
  }

  it('names ids and table in errors', () => {
    for (const [ids, Type, argument] of [
      [[0, -1], RangeError, 'ids[1]'],
      [[0, 1.5], RangeError, 'ids[1]'],
      [[NaN], RangeError, 'ids[0]'],
      [[0, 9n], RangeError, 'ids[1]'],
      [['1'], TypeError, 'ids[0]'],
      [[0, , 1], TypeError, 'ids[1]'], // eslint-disable-line no-sparse-arrays
      ['12', TypeError, 'ids'],
      [{ data: 'abc', dims: [3] }, TypeError, 'ids'],
      [{ data: [1, 2] }, TypeError, 'ids.dims'],
      [{ data: [1], dims: ['1'] }, TypeError, 'ids.dims[0]'],
      [{ data: [1, 2, 3], dims: [2, 2] }, RangeError, 'ids'],
      [{ data: [1], dims: [-1, -1] }, RangeError, 'ids.dims[0]'],
      [{ data: [1], dims: [0.5, 2] }, RangeError, 'ids.dims[0]'],
    ]) {
      assertRefuses(() => embed(ids, table), Type, argument);
    }
    for (const [given, Type, argument] of [
      [undefined, TypeError, 'table'],
      [{ data: [1], dims: [1, 1] }, TypeError, 'table.data'],
      [{ data: new Uint16Array(2), dims: [2, 1] }, TypeError, 'table.data'],
      [{ data: new Float32Array(5), dims: [2, 3] }, RangeError, 'table'],
      [{ data: new Float32Array(4), dims: [-2, -2] }, RangeError, 'table.dims[0]'],
      [{ data: new Float32Array(3), dims: [2, 1.5] }, RangeError, 'table.dims[1]'],
    ]) {
      assertRefuses(() => embed([0], given), Type, argument);
    }
  });
});

describe('sinusoidalPositions()', () => {
  for (const [length, dim, options] of [
    [1, 2, undefined],
    [50, 16, {}],
    [7, 6, { offset: 1000 }],
    [7, 6, { offset: -3.5, base: 100 }],
    [3, 512, { offset: 1_000_000 }],
    [0, 8, {}],
    [4, 0, {}],
  ]) {
    it(`${length} × ${dim} ${JSON.stringify(options)} are sines and cosines side by side`, () => {
      const got = sinusoidalPositions(length, dim, options);
      const exact = oracleSinusoidalPositions(length, dim, options);
      // Angles are float64 numbers, accurate enough after a million turns.
      assert.equal(explainDifference(got, exact, 2 * EPSILON), '');
    });
  }

  it('continue from an offset', () => {
    const whole = sinusoidalPositions(20, 6);
    const later = sinusoidalPositions(13, 6, { offset: 7 });
    assert.deepEqual(later.data, whole.data.slice(42));
    assert.deepEqual([...whole.data.slice(0, 6)], [0, 1, 0, 1, 0, 1]);
  });
});

describe('alibiSlopes()', () => {
  it('are powers of two for powers of two', () => {
    assert.deepEqual(alibiSlopes(1), [2 ** -8]);
    assert.deepEqual(
      alibiSlopes(8),
      [1, 2, 3, 4, 5, 6, 7, 8].map((h) => 2 ** -h),
    );
    // Press et al. for 12 heads: the slopes of 8, then every other one of 16.
    const between = [1, 3, 5, 7].map((h) => Math.fround(2 ** (-h / 2)));
    assert.deepEqual(alibiSlopes(12), [...alibiSlopes(8), ...between]);
  });

  it('agree with the paper for every number of heads', () => {
    for (let heads = 1; heads <= 130; heads++) {
      const slopes = alibiSlopes(heads);
      assert.ok(Array.isArray(slopes));
      const got = { data: Float32Array.from(slopes), dims: [heads] };
      const want = { data: Float64Array.from(oracleAlibiSlopes(heads)), dims: [heads] };
      assert.equal(explainDifference(got, want, EPSILON), '', `${heads} heads`);
    }
  });

  it('are an option of attention()', () => {
    const x = normalTensor(seeded('slopes'), [2, 9, 12]);
    const heads = 3;
    const options = { heads, causal: true, weights: true };
    const { output } = attention(x, x, x, { ...options, slopes: alibiSlopes(heads) });
    const plain = attention(x, x, x, options).output;
    assert.notEqual(explainBitDifference(output, plain), '');
  });
});

// embed(), sinusoidalPositions() and alibiSlopes(): what words and their places become, and what is refused.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { explainBitDifference, explainDifference } from '../../support/js/compare.js';
import { oracleAlibiSlopes, oracleSinusoidalPositions } from '../../support/js/oracle_positions.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';

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

  it('looks up nothing in anything', () => {
    assert.deepEqual(embed([], table), { data: new Float32Array(0), dims: [0, 3] });
    const empty = { data: new Float32Array(0), dims: [0, 3] };
    assert.deepEqual(embed([], empty), { data: new Float32Array(0), dims: [0, 3] });
    const narrow = { data: new Float64Array(0), dims: [5, 0] };
    assert.deepEqual(embed([1, 2], narrow), { data: new Float32Array(0), dims: [2, 0] });
  });

  it('converts the table where it must, and gives numbers of its own', () => {
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

  it('copies whatever the bits are', () => {
    const odd = { data: Float32Array.of(NaN, -0, Infinity, 1e-45), dims: [2, 2] };
    assert.equal(explainBitDifference(embed([0, 1], odd), odd), '');
  });

  for (const [ids, name, message] of [
    [[5], 'RangeError', 'ids[0] is 5 but must be a whole number from 0 to 4'],
    [[0, -1], 'RangeError', 'ids[1] is -1 but must be a whole number from 0 to 4'],
    [[0, 1.5], 'RangeError', 'ids[1] is 1.5 but must be a whole number from 0 to 4'],
    [[NaN], 'RangeError', 'ids[0] is NaN but must be a whole number from 0 to 4'],
    [[0, 9n], 'RangeError', 'ids[1] is 9 but must be a whole number from 0 to 4'],
    [['1'], 'TypeError', "ids[0] must be a number, found '1'"],
    [[0, , 1], 'TypeError', 'ids[1] must be a number, found undefined'], // eslint-disable-line no-sparse-arrays
    [
      undefined,
      'TypeError',
      'ids must be an array of whole numbers or a tensor { data, dims }, found undefined',
    ],
    [
      '12',
      'TypeError',
      "ids must be an array of whole numbers or a tensor { data, dims }, found '12'",
    ],
    [{ data: 'abc', dims: [3] }, 'TypeError', /^ids must be an array of whole numbers or a tensor/],
    [{ data: [1, 2] }, 'TypeError', 'ids.dims must be an array of numbers, found undefined'],
    [{ data: [1], dims: ['1'] }, 'TypeError', "ids.dims[0] must be a number, found '1'"],
    [
      { data: [1, 2, 3], dims: [2, 2] },
      'RangeError',
      'ids has dims 2×2 = 4 numbers but its data holds 3',
    ],
    [
      { data: [1], dims: [-1, -1] },
      'RangeError',
      /^ids\.dims\[0\] is -1 but must be a whole number/,
    ],
    [
      { data: [1], dims: [0.5, 2] },
      'RangeError',
      /^ids\.dims\[0\] is 0\.5 but must be a whole number/,
    ],
  ]) {
    it(`refuses ids: ${String(message)}`, () => refuses(() => embed(ids, table), name, message));
  }

  for (const [given, name, message] of [
    [undefined, 'TypeError', 'table must be a tensor { data, dims }, found undefined'],
    [
      { data: [1], dims: [1, 1] },
      'TypeError',
      'table.data must be a Float32Array, Float64Array, Float16Array, Uint16Array or Int8Array, found an array',
    ],
    [
      { data: new Uint16Array(2), dims: [2, 1] },
      'TypeError',
      "table.data is a Uint16Array, so table.type must be 'float16' or 'bfloat16', found undefined",
    ],
    [
      { data: new Float32Array(6), dims: [6] },
      'RangeError',
      'table has dims 6 but must have 2: vocabulary × d',
    ],
    [
      { data: new Float32Array(5), dims: [2, 3] },
      'RangeError',
      'table has dims 2×3 = 6 numbers but its data holds 5',
    ],
    [
      { data: new Float32Array(4), dims: [-2, -2] },
      'RangeError',
      /^table\.dims\[0\] is -2 but must/,
    ],
    [
      { data: new Float32Array(3), dims: [2, 1.5] },
      'RangeError',
      /^table\.dims\[1\] is 1\.5 but must/,
    ],
  ]) {
    it(`refuses a table: ${String(message)}`, () =>
      refuses(() => embed([0], given), name, message));
  }
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
      // The angle is a float64 number, of which a million turns leave enough.
      assert.equal(explainDifference(got, exact, 2 * EPSILON), '');
    });
  }

  it('go on where they stopped', () => {
    const whole = sinusoidalPositions(20, 6);
    const later = sinusoidalPositions(13, 6, { offset: 7 });
    assert.deepEqual(later.data, whole.data.slice(42));
    assert.deepEqual([...whole.data.slice(0, 6)], [0, 1, 0, 1, 0, 1]);
  });

  for (const [given, name, message] of [
    [[2, 3], 'RangeError', 'dim is 3 but must be even'],
    [[-1, 4], 'RangeError', 'length is -1 but must be a whole number of at least 0'],
    [[1.5, 4], 'RangeError', 'length is 1.5 but must be a whole number of at least 0'],
    [[2, NaN], 'RangeError', 'dim is NaN but must be a whole number of at least 0'],
    [[2, 4, { offset: Infinity }], 'RangeError', 'offset is Infinity but must be a finite number'],
    [[2, 4, { base: 0 }], 'RangeError', 'base is 0 but must be a finite float32 number above 0'],
    [[2, 4, { base: -1 }], 'RangeError', 'base is -1 but must be a finite float32 number above 0'],
    [
      [2 ** 20, 2 ** 12],
      'RangeError',
      'this call needs 16 GiB for its arguments and results but WebAssembly can address 4 GiB',
    ],
    [['2', 4], 'TypeError', "length must be a number, found '2'"],
    [[2], 'TypeError', 'dim must be a number, found undefined'],
    [[2, 4, { offset: '1' }], 'TypeError', "offset must be a number, found '1'"],
    [[2, 4, 7], 'TypeError', 'the options of sinusoidalPositions() must be an object, found 7'],
    [
      [2, 4, { scale: 1 }],
      'TypeError',
      "sinusoidalPositions() has no option 'scale'; it has offset, base",
    ],
  ]) {
    it(`refuses: ${message}`, () => refuses(() => sinusoidalPositions(...given), name, message));
  }
});

describe('alibiSlopes()', () => {
  it('are powers of two for powers of two', () => {
    assert.deepEqual(alibiSlopes(1), [2 ** -8]);
    assert.deepEqual(
      alibiSlopes(8),
      [1, 2, 3, 4, 5, 6, 7, 8].map((h) => 2 ** -h),
    );
    // As Press et al. give them for 12 heads: those of 8, then every other one of 16.
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

  for (const [heads, name, message] of [
    [0, 'RangeError', 'heads is 0 but must be a whole number of at least 1'],
    [2.5, 'RangeError', 'heads is 2.5 but must be a whole number of at least 1'],
    [2 ** 32, 'RangeError', /^heads is 4294967296 but must be at most 4294967295/],
    [2 ** 31, 'RangeError', /^this call needs 8 GiB/],
    ['8', 'TypeError', "heads must be a number, found '8'"],
    [undefined, 'TypeError', 'heads must be a number, found undefined'],
  ]) {
    it(`refuses: ${String(message)}`, () => refuses(() => alibiSlopes(heads), name, message));
  }
});

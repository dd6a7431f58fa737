// attention-wasm/models, the small things that it computes itself, against formulas written down here once more: stored
// numbers and parts of matrices, pictures cut up, positions, nonlinearities.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { activations } from '../../../web/lib/models/activations.js';
import {
  floatsOf,
  kept,
  keptBytes,
  keptType,
  shaped,
} from '../../../web/lib/models/kept_numbers.js';
import { Patches, readPixels } from '../../../web/lib/models/patches.js';
import { addPosition } from '../../../web/lib/models/positions.js';
import { meanRow, normalised, rowOf, someRows } from '../../../web/lib/models/vector_rows.js';

const counted = (count, from = 0) => Float32Array.from({ length: count }, (_, n) => from + n);
const near = (got, want, tolerance = 1e-6) => {
  assert.equal(got.length, want.length);
  want.forEach((x, n) =>
    assert.ok(Math.abs(got[n] - x) <= tolerance, `${got[n]} for ${x} at ${n}`),
  );
};

describe('stored numbers', () => {
  it('of 16 bits are what IEEE 754 and bfloat16 say, at every border', () => {
    const halves = [
      [0x0001, 2 ** -24],
      [0x03ff, 1023 * 2 ** -24],
      [0x0400, 2 ** -14],
      [0x8400, -(2 ** -14)],
      [0x3bff, 1 - 2 ** -11],
      [0x3c00, 1],
      [0x3c01, 1 + 2 ** -10],
      [0x7bff, 65504],
      [0xfbff, -65504],
      [0x7c00, Infinity],
      [0x7c01, NaN],
      [0x8000, -0],
    ];
    const singles = [
      [0x3f80, 1],
      [0xc049, -3.140625],
      [0x0080, 2 ** -126],
      [0x0001, 2 ** -133],
      [0xff80, -Infinity],
      [0x7fc0, NaN],
    ];
    for (const [type, pairs] of Object.entries({ float16: halves, bfloat16: singles })) {
      const data = Uint16Array.from(pairs, ([bits]) => bits);
      const got = floatsOf({ data, type });
      pairs.forEach(([bits, x], n) =>
        assert.ok(Object.is(got[n], x), `${type} ${bits}: ${got[n]}`),
      );
    }
  });

  it('of 32 bits are not copied', () => {
    const data = Float32Array.of(1);
    assert.equal(floatsOf({ data, type: 'float32' }), data);
  });

  /** Row n of `shape` is row, or column, `at(n)` of what is stored. */
  const part = (rows, { index, of, ofEachHead }, heads) => {
    const runs = ofEachHead ? heads : 1;
    const size = rows / (runs * of);
    return Array.from(
      { length: runs * size },
      (_, n) => (Math.floor(n / size) * of + index) * size + (n % size),
    );
  };

  it('are rows of a matrix, all of them or one part of each head', () => {
    const [rows, width] = [12, 5];
    const data = counted(rows * width);
    for (const how of [
      { index: 0, of: 1 },
      { index: 0, of: 3 },
      { index: 2, of: 3 },
      { index: 1, of: 3, ofEachHead: true },
      { index: 1, of: 2, ofEachHead: true },
    ]) {
      const wanted = part(rows, how, 2).flatMap((row) => [
        ...data.subarray(row * width, (row + 1) * width),
      ]);
      const planned = { shape: [wanted.length / width, width], part: how };
      const got = shaped({ data, type: 'float32' }, planned, { heads: 2 });
      assert.deepEqual([[...got.data], got.dims], [wanted, planned.shape], JSON.stringify(how));
      // Copied only where it has to be.
      assert.equal(got.data.buffer === data.buffer, !how.ofEachHead);
    }
    const whole = shaped({ data, type: 'float32' }, { shape: [rows, width] }, { heads: 2 });
    assert.equal(whole.data, data);
  });

  it('are columns of a matrix, as they are stored or turned, in squares and beyond them', () => {
    for (const [rows, columns] of [
      [1, 3],
      [3, 6],
      [31, 33],
      [33, 96],
      [65, 99],
    ]) {
      const data = counted(rows * columns);
      for (const how of [undefined, { index: 0, of: 3 }, { index: 2, of: 3 }]) {
        const taken = how ? part(columns, how, 1) : Array.from({ length: columns }, (_, n) => n);
        const planned = {
          shape: [taken.length, rows],
          dims: [rows, columns],
          inByOut: true,
          part: how,
        };
        const turned = shaped({ data, type: 'float32' }, planned, { heads: 1, turns: true });
        const stored = shaped({ data, type: 'float32' }, planned, { heads: 1, turns: false });
        const wanted = taken.flatMap((column) =>
          Array.from({ length: rows }, (_, row) => data[row * columns + column]),
        );
        assert.deepEqual([[...turned.data], turned.dims], [wanted, [taken.length, rows]]);
        const beside = Array.from({ length: rows }, (_, row) =>
          taken.map((column) => data[row * columns + column]),
        );
        assert.deepEqual([[...stored.data], stored.dims], [beside.flat(), [rows, taken.length]]);
      }
    }
  });

  it('are kept as they are, as floats, or rounded by rows', () => {
    const halves = {
      data: Uint16Array.of(0x3c00, 0xc000, 0, 0x3800),
      dims: [2, 2],
      type: 'float16',
    };
    assert.equal(kept(halves, 'as stored'), halves);
    assert.deepEqual(kept(halves, 'float32'), {
      data: Float32Array.of(1, -2, 0, 0.5),
      dims: [2, 2],
      type: 'float32',
    });
    const rounded = kept(halves, 'int8');
    assert.deepEqual(
      [[...rounded.data], rounded.type, rounded.dims],
      [[64, -127, 0, 127], 'int8', [2, 2]],
    );
    assert.deepEqual(rounded.scales, Float32Array.of(2 / 127, 0.5 / 127));
    const wide = kept({ data: Float32Array.of(1, 0, -4), dims: [1, 3], type: 'float32' }, 'int8');
    assert.deepEqual([[...wide.data], [...wide.scales]], [[32, 0, -127], [Math.fround(4 / 127)]]);
    for (const how of ['as stored', 'float32', 'int8']) {
      const vector = kept({ ...halves, dims: [4] }, how);
      assert.deepEqual([vector.type, [...vector.data]], ['float32', [1, -2, 0, 0.5]]);
    }
    const doubles = { data: Float64Array.of(1, 2), dims: [1, 2], type: 'float64' };
    assert.deepEqual(kept(doubles, 'as stored').data, Float32Array.of(1, 2));
  });

  it('take as many bytes as their type and their scales', () => {
    const bytes = (type, how, dims = [6, 10]) => keptBytes({ dims, type }, how);
    const rows = ['float64', 'float32', 'float16', 'bfloat16'].map((type) =>
      ['as stored', 'float32', 'int8'].map((how) => bytes(type, how)),
    );
    assert.deepEqual(rows, [
      [240, 240, 60 + 24],
      [240, 240, 60 + 24],
      [120, 240, 60 + 24],
      [120, 240, 60 + 24],
    ]);
    assert.deepEqual(
      [bytes('float16', 'int8', [7]), bytes('float16', 'as stored', [2, 3, 4])],
      [28, 96],
    );
    // Of a part of a tensor those of the part.
    assert.equal(keptBytes({ dims: [6, 10], shape: [2, 10], type: 'float32' }, 'int8'), 20 + 8);
    assert.deepEqual(
      [keptType('float16', 'int8'), keptType('float16', 'as stored')],
      ['int8', 'float16'],
    );
  });
});

describe('rows of vectors', () => {
  const x = { data: counted(12), dims: [4, 3] };

  it('are taken, copied and averaged', () => {
    assert.deepEqual([...rowOf(x, 2)], [6, 7, 8]);
    assert.deepEqual(someRows(x, [3, 0]), {
      data: Float32Array.of(9, 10, 11, 0, 1, 2),
      dims: [2, 3],
    });
    assert.deepEqual([...meanRow(x)], [4.5, 5.5, 6.5]);
    assert.deepEqual([...meanRow(x, 1)], [6, 7, 8]);
    assert.deepEqual([...meanRow(x, 1, 3)], [4.5, 5.5, 6.5]);
    near([...normalised(Float32Array.of(3, 0, -4))], [0.6, 0, -0.8]);
    near([...normalised(Float32Array.of(0.3, 0.4))], [0.6, 0.8]);
  });
});

describe('positions that are computed', () => {
  /** [sines, cosines] of an angle per position, side by side. */
  const vector = (p, width, sines, angle) => {
    const cosines = Math.floor(width / 2);
    const at = (n) => (n < sines ? Math.sin(p * angle(n)) : Math.cos(p * angle(n - sines)));
    return Array.from({ length: width }, (_, n) => (n < sines + cosines ? at(n) : 0));
  };

  it('are sines and cosines of their own frequencies, also where the width is odd', () => {
    for (const width of [6, 7]) {
      for (const p of [0, 1, 5]) {
        const got = { halves: new Float64Array(width), fairseq: new Float64Array(width) };
        for (const kind of Object.keys(got)) addPosition(got[kind], kind, p);
        near(
          got.halves,
          vector(p, width, Math.ceil(width / 2), (i) => 10_000 ** ((-2 * i) / width)),
          1e-12,
        );
        near(
          got.fairseq,
          vector(p, width, 3, (i) => 10_000 ** (-i / 2)),
          1e-12,
        );
      }
    }
  });

  it('are added to what is there', () => {
    const row = Float64Array.of(1, 2, 3, 4);
    addPosition(row, 'halves', 0);
    assert.deepEqual([...row], [1, 2, 4, 5]);
  });
});

describe('nonlinearities', () => {
  // Worked out by the functions of C: erf, tanh and exp.
  const known = {
    relu: { '-1': 0, 0: 0, 2: 2 },
    gelu: {
      '-1': -0.15865525393145705,
      0: 0,
      0.5: 0.34573123063700656,
      1: 0.8413447460685429,
      3: 2.99595030590511,
    },
    gelu_tanh: { '-1': -0.15880800939172324, 0: 0, 1: 0.8411919906082768, 3: 2.996362607918227 },
    quick_gelu: { '-1': -0.1542042340671787, 0: 0, 1: 0.8457957659328212, 2: 1.9356586231442083 },
    silu: { '-1': -0.2689414213699951, 0: 0, 1: 0.7310585786300049, 5: 4.966535745378576 },
    tanh: { '-1': -0.7615941559557649, 0: 0, 1: 0.7615941559557649 },
  };
  for (const [name, values] of Object.entries(known)) {
    it(`have the values of their formulas: ${name}`, () => {
      for (const [x, y] of Object.entries(values)) near([activations[name](Number(x))], [y], 1e-12);
    });
  }
});

describe('pictures', () => {
  const plan = { channels: 2, image: [4, 6], patch: [2, 3], places: [2, 2] };
  const width = 12; // of a patch: channels × 2 × 3
  /** Gives patches as they are. */
  const same = { forward: ({ data, dims }) => ({ data: data.slice(), dims }) };
  const none = (count) => new Float32Array(count);

  it('may be of one channel too few, or of a batch of two, and are refused', () => {
    const refused = (pixels, sentence) => assert.throws(() => readPixels(pixels, plan), sentence);
    refused(
      { data: none(24), dims: [1, 4, 6] },
      /^RangeError: pixels are 1×4×6 numbers, but must be 2 channels/,
    );
    refused({ data: none(48), dims: [1, 2, 4, 5] }, /^RangeError: pixels are 2×4×5 numbers/);
    refused(
      { data: none(96), dims: [2, 2, 4, 6] },
      /^RangeError: pixels are 2×2×4×6 numbers, .* for instance 4×6/,
    );
    refused(none(47), /^RangeError: pixels are 47 numbers/);
    const callable = Object.assign(() => {}, { data: none(48), dims: [2, 4, 6] });
    for (const nothing of [null, 5, 'a', {}, { data: [1], dims: [1] }, callable])
      refused(nothing, /^TypeError: pixels must be a tensor/);
  });

  it('are cut into patches, row by row, each channel after the other', () => {
    const data = counted(48);
    const asked = [];
    const patches = new Patches(
      plan,
      {
        first: { data: counted(width, 100) },
        positions: { data: none(5 * width), dims: [5, width] },
      },
      same,
    );
    const { x, grid } = patches.of({ data, dims: [2, 4, 6] }, (count) => asked.push(count));
    assert.deepEqual([grid, asked, x.dims], [[2, 2], [5], [5, width]]);
    const patch = (row, column) =>
      [0, 1].flatMap((channel) =>
        [0, 1].flatMap((y) =>
          [0, 1, 2].map((at) => data[channel * 24 + (2 * row + y) * 6 + 3 * column + at]),
        ),
      );
    const wanted = [
      ...counted(width, 100),
      ...patch(0, 0),
      ...patch(0, 1),
      ...patch(1, 0),
      ...patch(1, 1),
    ];
    assert.deepEqual([...x.data], wanted);
    // What is left of a picture that no patch fits in is left out.
    const larger = patches.of({ data: none(2 * 5 * 11), dims: [2, 5, 11] }, (n) => asked.push(n));
    assert.deepEqual([larger.grid, asked.at(-1)], [[2, 3], 7]);
    assert.throws(
      () => patches.of({ data: none(12), dims: [2, 1, 6] }, () => {}),
      /^RangeError: pixels are 2×1×6, smaller than a patch of 2×3$/,
    );
    assert.throws(
      () => patches.of({ data: none(16), dims: [2, 4, 2] }, () => {}),
      /smaller than a patch/,
    );
  });

  /** How much a place has of one at a distance (Keys, 1981). */
  const weight = (distance, a = -0.75) => {
    const d = Math.abs(distance);
    if (d <= 1) return (a + 2) * d ** 3 - (a + 3) * d ** 2 + 1;
    return d < 2 ? a * d ** 3 - 5 * a * d ** 2 + 8 * a * d - 4 * a : 0;
  };
  /** Weights of all `from` places, those beyond the border counted at it. */
  const shares = (at, from, to) => {
    const place = ((at + 0.5) * from) / to - 0.5;
    const all = Array(from).fill(0);
    for (let n = -4; n < from + 4; n++)
      all[Math.min(Math.max(n, 0), from - 1)] += weight(place - n);
    return all;
  };

  it('have places between those that were learnt where they are of another size', () => {
    for (const [places, grid] of [
      [
        [2, 2],
        [2, 3],
      ],
      [
        [2, 2],
        [3, 2],
      ],
      [
        [2, 3],
        [2, 3],
      ],
      [
        [2, 3],
        [3, 2],
      ],
      [
        [3, 2],
        [3, 5],
      ],
      [
        [2, 2],
        [1, 2],
      ],
      [
        [4, 3],
        [7, 5],
      ],
      [
        [5, 4],
        [2, 4],
      ],
    ]) {
      const count = places[0] * places[1];
      const own = Float32Array.from({ length: (1 + count) * width }, (_, n) => Math.sin(n * n));
      const patches = new Patches(
        { ...plan, places },
        { first: { data: none(width) }, positions: { data: own, dims: [1 + count, width] } },
        same,
      );
      const dims = [2, 2 * grid[0], 3 * grid[1]];
      const { x } = patches.of({ data: none(12 * grid[0] * grid[1]), dims }, () => {});
      const wanted = [...own.subarray(0, width)];
      for (let row = 0; row < grid[0]; row++) {
        for (let column = 0; column < grid[1]; column++) {
          const down = shares(row, places[0], grid[0]);
          const across = shares(column, places[1], grid[1]);
          for (let c = 0; c < width; c++) {
            let sum = 0;
            down.forEach((y, i) =>
              across.forEach((z, j) => (sum += y * z * own[(1 + i * places[1] + j) * width + c])),
            );
            wanted.push(sum);
          }
        }
      }
      near(x.data, wanted, 1e-5);
    }
  });
});

// attention-wasm/models: image inputs, patches, and interpolated position embeddings for images of another size, with a ViT
// whose projection is the identity.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { explainDifference } from '../../support/js/compare.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const width = 8; // of a patch: 2 channels of 2 × 2
const counted = (count, from = 0) => Float32Array.from({ length: count }, (_, n) => from + n);

/** A ViT for images of `places` patches; first: the class token; table: position embeddings. */
async function withModel(places, { first, table, ...more }, use) {
  const count = places[0] * places[1];
  const weights = seededWeights(cases.vit);
  const set = (name, data, dims) =>
    weights.set(`vit.embeddings.${name}`, { data, dims, type: 'float32' });
  const one = Float32Array.from({ length: width ** 2 }, (_, at) => (at % (width + 1) ? 0 : 1));
  set('patch_embeddings.projection.weight', one, [width, 2, 2, 2]);
  set('patch_embeddings.projection.bias', new Float32Array(width), [width]);
  set('cls_token', first ?? new Float32Array(width), [1, 1, width]);
  const all = table ?? new Float32Array((1 + count) * width);
  set('position_embeddings', all, [1, 1 + count, width]);
  const image_size = places.map((n) => 2 * n);
  const config = { ...cases.vit.config, image_size, patch_size: 2, ...more };
  const model = await loadModel({ config, weights });
  try {
    return await use((pixels) => {
      const { grid, hiddenStates } = model.run({ pixels }, { hiddenStates: true });
      return { grid, x: hiddenStates[0] };
    });
  } finally {
    model.delete();
  }
}

describe('patches of pictures', () => {
  it('are cut row by row, each channel after the other', () =>
    withModel([2, 3], { first: counted(width, 100) }, (run) => {
      const data = counted(48);
      const { x, grid } = run({ data, dims: [2, 4, 6] });
      const patch = (row, column) =>
        [0, 1].flatMap((channel) =>
          [0, 1].flatMap((y) =>
            [0, 1].map((at) => data[channel * 24 + (2 * row + y) * 6 + 2 * column + at]),
          ),
        );
      const patches = [0, 1].flatMap((row) => [0, 1, 2].flatMap((column) => patch(row, column)));
      assert.deepEqual(
        [grid, x.dims],
        [
          [2, 3],
          [7, width],
        ],
      );
      assert.deepEqual([...x.data], [...counted(width, 100), ...patches]);
      // A margin too small for a patch is ignored.
      assert.deepEqual(run({ data: new Float32Array(2 * 5 * 11), dims: [2, 5, 11] }).grid, [2, 5]);
      for (const dims of [
        [2, 1, 6],
        [2, 4, 1],
      ]) {
        const small = { data: new Float32Array(dims[0] * dims[1] * dims[2]), dims };
        assert.throws(() => run(small), { name: 'RangeError', message: /pixels/ });
      }
    }));

  /** Bicubic weight of a position at a distance (Keys, 1981). */
  const weight = (distance, a = -0.75) => {
    const d = Math.abs(distance);
    if (d <= 1) return (a + 2) * d ** 3 - (a + 3) * d ** 2 + 1;
    return d < 2 ? a * d ** 3 - 5 * a * d ** 2 + 8 * a * d - 4 * a : 0;
  };
  /** Weights of all `from` positions; positions beyond the border count as the border. */
  const shares = (at, from, to) => {
    const place = ((at + 0.5) * from) / to - 0.5;
    const all = Array(from).fill(0);
    for (let n = -4; n < from + 4; n++)
      all[Math.min(Math.max(n, 0), from - 1)] += weight(place - n);
    return all;
  };

  for (const [rows, columns, height, across] of [
    [2, 2, 2, 3],
    [2, 2, 3, 2],
    [2, 3, 2, 3],
    [2, 3, 3, 2],
    [2, 2, 1, 2],
    [4, 3, 7, 5],
    [5, 4, 2, 4],
  ]) {
    it(`have interpolated positions: ${rows} × ${columns} to ${height} × ${across}`, () => {
      const count = rows * columns;
      const table = Float32Array.from({ length: (1 + count) * width }, (_, n) => Math.sin(n * n));
      return withModel([rows, columns], { table }, (run) => {
        const pixels = new Float32Array(width * height * across);
        const { x } = run({ data: pixels, dims: [2, 2 * height, 2 * across] });
        const data = [...table.subarray(0, width)];
        for (let n = 0; n < height * across; n++) {
          const down = shares(Math.floor(n / across), rows, height);
          const beside = shares(n % across, columns, across);
          for (let c = 0; c < width; c++) {
            const of = (i, j) => table[(1 + i * columns + j) * width + c];
            data.push(
              down.reduce(
                (sum, y, i) => sum + beside.reduce((part, z, j) => part + y * z * of(i, j), 0),
                0,
              ),
            );
          }
        }
        const want = { data, dims: [1 + height * across, width] };
        assert.equal(explainDifference(x, want, 1e-5), '');
      });
    });
  }
});

describe('pictures', () => {
  const data = counted(8);
  const dims = [2, 2, 2];
  const nested = [0, 4].map((n) => [
    [n, n + 1],
    [n + 2, n + 3],
  ]);

  it('are tensors, also with a batch axis of 1, flat arrays, or nested arrays', () =>
    withModel([1, 1], {}, (run) => {
      for (const pixels of [
        data,
        [...data],
        nested,
        [nested],
        { data, dims },
        { data: Float64Array.from(data), dims: Uint8Array.from(dims) },
        { data, dims: [1, ...dims] },
      ]) {
        const { x } = run(pixels);
        assert.deepEqual([...x.data.slice(width)], [...data]);
      }
    }));

  const withinItself = [];
  withinItself.push(withinItself);
  const callable = Object.assign(() => {}, { data, dims });
  const long = Array(2 ** 16).fill(Array(2 ** 16).fill(0));
  const ofDims = (wrong) => ({ data: new Float32Array(8), dims: wrong });
  const refused = {
    TypeError: [
      ...['picture', 5, {}, { data: [1], dims: [1] }, callable, { data }, new BigInt64Array(8)],
      ...[{ data: new BigInt64Array(8), dims }, [1, 2, '3', 4, 5, 6, 7, 8], Array(8)],
      ...[
        [1, 2, 3n, 4, 5, 6, 7, 8],
        [
          [
            [1, 2],
            [3, [4]],
          ],
          nested[1],
        ],
      ],
    ],
    RangeError: [
      ...[new Float32Array(5), [[1, 2], [3]], [[[1, 2], [3]], nested[1]], withinItself],
      ...[
        [
          [
            [1, 2],
            [3, 4, 5],
          ],
          nested[1],
        ],
        [[[1, 2], 3], nested[1]],
        [long, long],
      ],
      ...[
        [1, 2, 4],
        [3, 2, 2],
        [2, -2, -2],
        [2, 4.5, 4 / 4.5],
        [2, 4, '1'],
        [2, 4n, 1n],
      ].map(ofDims),
      ...[[8, 1], [1, 1, 2, 2, 2], [2, 2, 1, 2], Array(1000).fill(1)].map(ofDims),
    ],
  };
  for (const [name, list] of Object.entries(refused)) {
    it(`are refused in other forms, with a ${name}`, () =>
      withModel([1, 1], {}, (run) => {
        for (const pixels of list) assert.throws(() => run(pixels), { name, message: /pixels/ });
      }));
  }

  it('need the name of the input', async () => {
    const { config } = cases.vit;
    const model = await loadModel({ config, weights: seededWeights(cases.vit) });
    for (const input of ['a', { pixels: null }, { ids: [1] }, nested]) {
      assert.throws(() => model.run(input), { name: 'TypeError', message: /pixels/ });
    }
    model.delete();
  });

  it('have integer sizes', async () => {
    for (const image_size of [0, 0.5, '4', [1], [2, 0], [1, 2, 3]]) {
      const loading = withModel([1, 1], { image_size }, () => {});
      await assert.rejects(loading, { name: 'RangeError', message: /'image_size'/ });
    }
  });
});

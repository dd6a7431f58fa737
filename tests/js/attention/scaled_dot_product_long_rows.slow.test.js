// Rows of several key tiles, and calls of several query spans: weights are computed from the running maximum and sum, must
// have the bits of softmax() of the scores, and must not change the output.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainBitDifference } from '../../support/js/compare.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';

// Tiles hold 256 keys, spans 512 queries of all heads that share keys.
const shapes = [
  { qLen: 1, kLen: 256, heads: 1, kvHeads: 1, dim: 8 },
  { qLen: 3, kLen: 700, heads: 2, kvHeads: 1, dim: 8 },
  { qLen: 70, kLen: 1025, heads: 4, kvHeads: 1, dim: 12 },
  { qLen: 600, kLen: 600, heads: 2, kvHeads: 2, dim: 5 },
];

const masks = {
  boolean: (random, dims, count) => ({
    dims,
    data: Uint8Array.from({ length: count }, () => Number(random.chance(0.5))),
  }),
  additive: (random, dims, count) => ({
    dims,
    data: Float32Array.from({ length: count }, () =>
      random.chance(0.3) ? -Infinity : random.integer(-3, 3),
    ),
  }),
};

const variants = {
  plain: () => ({}),
  causal: () => ({ causal: true }),
  window: () => ({ window: [40, 3] }),
  sinks: ({ heads }) => ({ sinks: new Array(heads).fill(0.5) }),
  slopes: ({ heads }) => ({ slopes: new Array(heads).fill(0.1) }),
  softcap: () => ({ softcap: 3 }),
  'short keys': ({ kLen }) => ({ keyLengths: [kLen >> 1] }),
  'large scale': () => ({ scale: 50 }),
  overflow: () => ({ scale: 1e37 }),
  'boolean mask': ({ qLen, kLen }, random) => ({
    mask: masks.boolean(random, [qLen, kLen], qLen * kLen),
  }),
  'additive mask': ({ qLen, kLen }, random) => ({
    mask: masks.additive(random, [qLen, kLen], qLen * kLen),
  }),
};

/** NaN in a query and a key, infinities in a query and a value. */
const poisons = {
  nothing: () => {},
  NaN: ([query, key], { qLen, kLen, dim }) => {
    query.data[(qLen >> 1) * dim] = NaN;
    key.data[(kLen >> 1) * dim] = NaN;
  },
  infinity: ([query, , value], { dim }) => {
    query.data.fill(3e38, 0, dim);
    value.data[7] = Infinity;
  },
};

for (const kernels of ['simd', 'reference']) {
  describe(`long rows, ${kernels} kernels`, async () => {
    const { attention, softmax } = await loadAttention({ kernels });
    for (const shape of shapes) {
      const { qLen, kLen, heads, kvHeads, dim } = shape;
      it(`of ${heads} heads, ${qLen} × ${kLen}`, () => {
        const random = seeded(`long rows ${qLen} ${kLen}`);
        for (const [name, optionsOf] of Object.entries(variants)) {
          const options = { ...optionsOf(shape, random), offset: kLen - qLen };
          for (const [poison, spoil] of Object.entries(poisons)) {
            const tensors = [
              normalTensor(random, [1, heads, qLen, dim]),
              normalTensor(random, [1, kvHeads, kLen, dim]),
              normalTensor(random, [1, kvHeads, kLen, dim]),
            ];
            spoil(tensors, shape);
            const what = `${name}, with ${poison}`;
            const same = (got, want) => assert.equal(explainBitDifference(got, want), '', what);
            const kept = attention(...tensors, { ...options, weights: true, scores: 'biased' });
            same(kept.output, attention(...tensors, options).output);
            same(kept.weights, softmax(kept.scores, options));
            const average = attention(...tensors, { ...options, weights: 'average' });
            if (heads > 1) continue;
            assert.equal(
              explainBitDifference({ ...average.weights, dims: kept.weights.dims }, kept.weights),
              '',
              what,
            );
          }
        }
      });
    }
  });
}

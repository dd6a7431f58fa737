// Large weights and scores are returned in slices of query rows: they equal those of the steps, which use no slices, and
// outputs equal those of calls without weights.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainBitDifference } from '../../support/js/compare.js';
import { booleanMask, normalTensor, seeded, sizeOf } from '../../support/js/random_tensors.js';

// A slice has 64 queries of a head or of an average; in the fourth case 256; with shared keys all heads.
const shapes = [
  { batch: 2, heads: 2, kvHeads: 2, qLen: 150, kLen: 4100, dim: 8 },
  { batch: 2, heads: 4, kvHeads: 2, qLen: 30, kLen: 4100, dim: 8 },
  { batch: 1, heads: 1, kvHeads: 1, qLen: 240, kLen: 4100, dim: 8 },
  { batch: 2, heads: 3, kvHeads: 3, qLen: 260, kLen: 1025, dim: 32 },
];

const perHead = ({ heads }) => Array.from({ length: heads }, (_, head) => 0.1 * head - 0.2);

const variants = {
  plain: () => ({}),
  causal: ({ batch }) => ({
    causal: true,
    offset: Array.from({ length: batch }, (_, entry) => 3000 * entry + 5),
  }),
  window: () => ({ window: [40, 3], offset: 900 }),
  'short keys': ({ batch }) => ({
    keyLengths: Array.from({ length: batch }, (_, entry) => 700 * entry),
  }),
  slopes: (shape) => ({ slopes: perHead(shape), offset: 100 }),
  sinks: (shape) => ({ sinks: perHead(shape) }),
  'mask of each head': ({ batch, heads, qLen, kLen }, random) => ({
    mask: booleanMask(random, [batch, heads, qLen, kLen]),
  }),
  'mask of rows': ({ qLen }, random) => ({ mask: normalTensor(random, [qLen, 1]) }),
};

/** The mean over heads, summed in their order in float32. */
function averageOf({ data, dims: [batch, heads, ...rows] }) {
  const size = sizeOf(rows);
  const average = new Float32Array(batch * size);
  for (let entry = 0; entry < batch; entry++) {
    const sum = average.subarray(entry * size, (entry + 1) * size);
    for (let head = 0; head < heads; head++) {
      const first = (entry * heads + head) * size;
      for (let at = 0; at < size; at++) sum[at] += data[first + at];
    }
    for (let at = 0; at < size; at++) sum[at] /= heads;
  }
  return { data: average, dims: [batch, ...rows] };
}

for (const kernels of ['simd', 'reference']) {
  describe(`weights in slices, ${kernels} kernels`, async () => {
    const { attention, scores, softmax, memoryBytes } = await loadAttention({ kernels });

    for (const shape of shapes) {
      const { batch, heads, kvHeads, qLen, kLen, dim } = shape;
      const name = `${batch}×${heads}/${kvHeads}×(${qLen}×${kLen})×${dim}`;
      for (const [variant, made] of Object.entries(variants)) {
        it(`${name}, ${variant}: equal those of the steps`, () => {
          const random = seeded(`${name} ${variant}`);
          const query = normalTensor(random, [batch, heads, qLen, dim]);
          const key = normalTensor(random, [batch, kvHeads, kLen, dim]);
          const value = normalTensor(random, [batch, kvHeads, kLen, dim]);
          const tensors = [query, key, value];
          query.data[dim * 125] = NaN; // must affect the row of this query only
          const options = made(shape, random);
          const { sinks, ...ofScores } = options;
          const biased = scores(query, key, ofScores);
          const weights = softmax(biased, { sinks });
          const { output, logSumExp } = attention(...tensors, { ...options, logSumExp: true });

          const calls = [
            [{ weights: true }, { weights }],
            [{ weights: 'average' }, { weights: averageOf(weights) }],
            [
              { weights: true, scores: 'biased' },
              { weights, scores: biased },
            ],
            [
              { weights: 'average', scores: 'biased' },
              { weights: averageOf(weights), scores: biased },
            ],
          ];
          for (const [wanted, kept] of calls) {
            const found = attention(...tensors, { ...options, ...wanted, logSumExp: true });
            for (const [result, tensor] of Object.entries({ output, logSumExp, ...kept })) {
              assert.equal(
                explainBitDifference(found[result], tensor),
                '',
                `${result} of ${JSON.stringify(wanted)}`,
              );
            }
          }
        });
      }
    }

    it('need the memory of one slice', () => {
      const x = normalTensor(seeded('memory'), [4096, 4], 0.1);
      const before = memoryBytes();
      for (const weights of [true, 'average']) {
        const { data } = attention(x, x, x, { weights }).weights;
        assert.equal(data.length, 4096 * 4096);
      }
      assert.ok(memoryBytes() - before < 2 ** 23, `${memoryBytes() - before} bytes`);
    });
  });
}

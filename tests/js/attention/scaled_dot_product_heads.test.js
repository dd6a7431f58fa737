// Long keys and values are copied into the module head by head, and query heads that share keys become the rows of one
// product if q_len is 1: each group of heads must have the bits of a call of its own.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainBitDifference } from '../../support/js/compare.js';
import { asBfloat16, asFloat32 } from '../../support/js/narrowed.js';
import { booleanMask, normalTensor, seeded, sizeOf } from '../../support/js/random_tensors.js';

// 300 keys and values of 64 numbers are copied head by head, 5 keys in one copy.
const shapes = [
  { batch: 2, heads: 4, kvHeads: 2, qLen: 3, kLen: 300, dim: 64 },
  { batch: 2, heads: 6, kvHeads: 2, qLen: 1, kLen: 300, dim: 64 },
  { batch: 2, heads: 6, kvHeads: 2, qLen: 1, kLen: 5, dim: 8 },
  { batch: 3, heads: 2, kvHeads: 2, qLen: 2, kLen: 300, dim: 64 },
];

const perHead = ({ heads }) => Array.from({ length: heads }, (_, head) => 0.1 * head - 0.2);

const variants = {
  plain: () => ({}),
  causal: ({ batch, kLen, qLen }) => ({
    causal: true,
    offset: Array.from({ length: batch }, (_, entry) => kLen - qLen - entry),
  }),
  window: ({ kLen, qLen }) => ({ window: [2, 0], offset: kLen - qLen - 1 }),
  'short keys': ({ batch, kLen }) => ({ keyLengths: new Array(batch).fill(kLen >> 1) }),
  slopes: (shape) => ({ slopes: perHead(shape), offset: shape.kLen - shape.qLen }),
  sinks: (shape) => ({ sinks: perHead(shape) }),
  'mask of each head': ({ batch, heads, qLen, kLen }, random) => ({
    mask: booleanMask(random, [batch, heads, qLen, kLen]),
  }),
  'mask of all heads': ({ batch, qLen, kLen }, random) => ({
    mask: booleanMask(random, [batch, 1, qLen, kLen]),
  }),
};

/** Some heads of one batch entry of a tensor [batch, heads, …]. */
function part({ data, dims }, entry, first, count) {
  const size = sizeOf(dims.slice(2));
  const start = (entry * dims[1] + first) * size;
  return { data: data.slice(start, start + count * size), dims: [1, count, ...dims.slice(2)] };
}

/** The options for some heads of one batch entry. */
function optionsOf(options, entry, first, count) {
  const own = { ...options };
  for (const name of ['offset', 'keyLengths']) {
    if (Array.isArray(options[name])) own[name] = [options[name][entry]];
  }
  for (const name of ['slopes', 'sinks']) own[name] &&= own[name].slice(first, first + count);
  if (options.mask) {
    const all = options.mask.dims[1] === 1;
    own.mask = part(options.mask, entry, all ? 0 : first, all ? 1 : count);
  }
  return own;
}

const kept = { weights: true, scores: ['raw', 'biased'], logSumExp: true };

function flat({ output, weights, logSumExp, scores }) {
  return { output, weights, logSumExp, raw: scores.raw, biased: scores.biased };
}

for (const kernels of ['simd', 'reference']) {
  describe(`heads copied one by one, ${kernels} kernels`, async () => {
    const { attention, KeyValueCache, memoryBytes } = await loadAttention({ kernels });

    for (const shape of shapes) {
      const { batch, heads, kvHeads, qLen, kLen, dim } = shape;
      const name = `${batch}×${heads}/${kvHeads}×(${qLen}×${kLen})×${dim}`;
      for (const [variant, made] of Object.entries(variants)) {
        it(`${name}, ${variant}: each head has the bits of a call of its own`, () => {
          const random = seeded(`${name} ${variant}`);
          const query = normalTensor(random, [batch, heads, qLen, dim]);
          const key = normalTensor(random, [batch, kvHeads, kLen, dim]);
          const value = normalTensor(random, [batch, kvHeads, kLen, dim]);
          key.data[7] = NaN; // visible to one head only
          value.data[dim * (kLen - 1)] = Infinity;
          const options = { ...made(shape, random), ...kept };
          const together = flat(attention(query, key, value, options));
          for (let entry = 0; entry < batch; entry++) {
            for (let head = 0; head < heads; head++) {
              const shared = Math.floor((head * kvHeads) / heads);
              const alone = flat(
                attention(
                  part(query, entry, head, 1),
                  part(key, entry, shared, 1),
                  part(value, entry, shared, 1),
                  optionsOf(options, entry, head, 1),
                ),
              );
              for (const [result, tensor] of Object.entries(alone)) {
                const found = part(together[result], entry, head, 1);
                assert.equal(
                  explainBitDifference(found, tensor),
                  '',
                  `${result} of head ${head} of entry ${entry}`,
                );
              }
            }
          }
        });
      }

      it(`${name}: low precision, a cache and an average give the same`, () => {
        const random = seeded(name);
        const query = normalTensor(random, [batch, heads, qLen, dim]);
        const narrow = [0, 1].map(() =>
          asBfloat16(normalTensor(random, [batch, kvHeads, kLen, dim])),
        );
        const wide = narrow.map(asFloat32);
        const { output } = attention(query, ...wide);
        const cache = new KeyValueCache({ batch, kvHeads, keyDim: dim, capacity: kLen });
        cache.append(...wide);
        const average = attention(query, ...wide, { weights: 'average' });
        const averageOfNarrow = attention(query, ...narrow, { weights: 'average' });
        const results = {
          narrow: attention(query, ...narrow).output,
          cache: cache.attend(query).output,
          average: average.output,
        };
        cache.delete();
        for (const [which, found] of Object.entries(results)) {
          assert.equal(explainBitDifference(found, output), '', which);
        }
        assert.equal(explainBitDifference(average.weights, averageOfNarrow.weights), '');
      });
    }

    it('need the memory of one head', () => {
      const x = normalTensor(seeded('memory'), [1, 64, 1024, 64], 0.1);
      const query = { data: x.data.slice(0, 64 * 64), dims: [1, 64, 1, 64] };
      const before = memoryBytes();
      attention(query, x, x);
      assert.ok(memoryBytes() - before < x.data.byteLength / 8);
    });
  });
}

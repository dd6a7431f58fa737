// Division of a large call of attention() into ranges, and the numbers in the call of each range.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { sizeOf } from '../../../web/lib/arguments/dims.js';
import { callsOfRanges, memoryRanges, writeResult } from '../../../web/lib/arguments/ranges.js';

const enums = {
  Weights: { perHead: 1, average: 2 },
  NumberType: { float32: 0, float16: 1, bfloat16: 2, int8: 3 },
  Block: { queries: 64 },
  Limit: { bytes: 2 ** 32 - 2 ** 16 },
};
const perHead = { returnWeights: 1 };
const average = { returnWeights: 2 };
const scores = { returnScores: 4 };

/** A tensor of 0, 1, 2 …; without data if only its dims matter. */
const tensor = (dims, isFilled, type = 'Float32Array') => ({
  dims,
  type,
  data: isFilled && Float32Array.from({ length: sizeOf(dims) }, (_, index) => index),
});

/** The fields and sizes of a call; heads: of tensors of rank 2 or 3. */
function callOf(queryDims, keyDims, { heads = 1, isFilled = false, type, ...more } = {}) {
  const rank = queryDims.length;
  const inRow = rank < 4 ? heads : 1;
  const fields = {
    query: tensor(queryDims, isFilled),
    key: tensor(keyDims, isFilled, type),
    value: tensor(keyDims, isFilled),
    ...(inRow > 1 && { heads }),
    ...more,
  };
  const facts = {
    batch: rank > 2 ? queryDims[0] : 1,
    heads: rank === 4 ? queryDims[1] : heads,
    kvHeads: rank === 4 ? keyDims[1] : heads,
    qLen: queryDims.at(-2),
    kLen: keyDims.at(-2),
    keyDim: queryDims.at(-1) / inRow,
    valueDim: keyDims.at(-1) / inRow,
  };
  return { fields, facts };
}

function countOf(...call) {
  const { fields, facts } = callOf(...call);
  return memoryRanges(fields, facts, enums)?.length ?? 1;
}

describe('ranges that save memory', () => {
  it('are one key/value head each, from 32,768 numbers per head', () => {
    assert.equal(countOf([2, 4, 3, 64], [2, 2, 256, 64]), 4);
    assert.equal(countOf([2, 4, 3, 64], [2, 2, 255, 64]), 1);
    assert.equal(countOf([2, 2, 3, 64], [2, 1, 256, 64]), 2);
    assert.equal(countOf([1, 2, 3, 64], [1, 1, 256, 64]), 1);
    assert.equal(countOf([2, 3, 64], [2, 256, 64]), 2);
    assert.equal(countOf([2, 3, 128], [2, 256, 128], { heads: 2 }), 1);
  });

  it('are not used for low-precision keys', () => {
    for (const type of ['float16', 'bfloat16', 'int8']) {
      assert.equal(countOf([2, 4, 3, 64], [2, 2, 256, 64], { type }), 1);
    }
  });

  it('return at most 524,288 weights or scores each, of whole blocks of 64 query rows', () => {
    const [query, key] = [
      [2, 2, 1024, 1],
      [2, 2, 1024, 1],
    ];
    assert.equal(countOf(query, key), 1);
    for (const returned of [perHead, scores, { ...perHead, ...scores }]) {
      assert.equal(countOf(query, key, returned), 4 * 2);
      assert.equal(countOf([2, 2, 1025, 1], key, returned), 4 * 3);
      assert.equal(countOf(query, [2, 1, 1024, 1], returned), 2 * 4);
    }
    assert.equal(countOf(query, key, average), 2 * 2);
    assert.equal(countOf(query, key, { ...average, ...scores }), 2 * 4);
    assert.equal(countOf([1, 2, 2, 1], [1, 2, 16384, 1], perHead), 2);
    assert.equal(countOf([1, 2, 2, 1], [1, 2, 16383, 1], perHead), 1);
    assert.equal(countOf([1, 1, 128, 1], [1, 1, 524288, 1], perHead), 2);
  });

  it('are not used for results larger than the address space', () => {
    assert.equal(countOf([1, 1, 65536, 1], [1, 1, 65536, 1], perHead), 1);
  });

  it('have every query row of every head once', () => {
    const { fields, facts } = callOf([2, 4, 130, 2], [2, 2, 9000, 2], perHead);
    const seen = new Set();
    for (const { batch, kvHeads, queries } of memoryRanges(fields, facts, enums)) {
      assert.deepEqual([batch[1] - batch[0], kvHeads[1] - kvHeads[0]], [1, 1]);
      for (let row = queries[0]; row < queries[1]; row++) {
        const place = [batch[0], kvHeads[0], row].join();
        assert.ok(!seen.has(place), place);
        seen.add(place);
      }
    }
    assert.equal(seen.size, 2 * 2 * 130);
  });
});

describe('the call of a range', () => {
  const range = { batch: [1, 2], kvHeads: [1, 2], queries: [3, 5] };
  const options = {
    causal: true,
    offsets: [10, 20],
    keyLengths: [4, 6],
    slopes: [1, 2, 3, 4],
    sinks: [5, 6, 7, 8],
  };
  const callIn = (...call) => {
    const { fields, facts } = callOf(...call);
    const [part] = callsOfRanges(fields, [range], facts);
    return { part, fields, facts };
  };

  it('has the options of its entries, heads and rows', () => {
    const { part } = callIn([2, 4, 6, 2], [2, 2, 7, 2], { isFilled: true, ...options });
    assert.deepEqual(part.offsets, [23]);
    assert.deepEqual(part.keyLengths, [6]);
    assert.deepEqual(
      [part.slopes, part.sinks],
      [
        [3, 4],
        [7, 8],
      ],
    );
  });

  it('has its slice of a mask; axes of 1 stay', () => {
    const mask = tensor([2, 1, 6, 7], true);
    const { part } = callIn([2, 4, 6, 2], [2, 2, 7, 2], { isFilled: true, mask });
    assert.deepEqual(part.mask.dims, [1, 1, 2, 7]);
    assert.deepEqual([...part.mask.data], [...mask.data.subarray(63, 77)]);
  });

  it('has its slices of the tensors, and writes its results to their positions', () => {
    for (const [query, key, heads] of [
      [[2, 4, 6, 2], [2, 2, 7, 2], 4],
      [[2, 6, 8], [2, 7, 8], 4],
    ]) {
      const { part, fields, facts } = callIn(query, key, { isFilled: true, heads });
      const shared = facts.heads / facts.kvHeads;
      const rank = query.length;
      assert.equal(sizeOf(part.query.dims), 2 * shared * facts.keyDim);
      assert.equal(sizeOf(part.key.dims), 7 * facts.keyDim);
      const at = (head, row, column) =>
        rank === 4
          ? ((4 + head) * 6 + row) * 2 + column
          : (6 + row) * 8 + head * facts.keyDim + column;
      const first = range.kvHeads[0] * shared;
      assert.equal(part.query.data[0], at(first, 3, 0));
      const output = { data: new Float32Array(sizeOf(query)), dims: query };
      const numbers = Float32Array.from(part.query.data, (number) => number + 1);
      writeResult('output', output, range, numbers, fields, facts, enums);
      for (const [index, number] of output.data.entries()) {
        const isInside = part.query.data.includes(index);
        assert.equal(number, isInside ? index + 1 : 0);
      }
    }
  });

  it('reuses the keys and values of the previous range if they are the same', () => {
    const { fields, facts } = callOf([1, 1, 130, 2], [1, 1, 7, 2], { isFilled: true });
    const ranges = [0, 64].map((first) => ({
      batch: [0, 1],
      kvHeads: [0, 1],
      queries: [first, first + 64],
    }));
    const [one, two] = callsOfRanges(fields, ranges, facts);
    assert.equal(one.key, two.key);
    const allocate = (count) => new Float32Array(count);
    const [mine, other] = callsOfRanges(fields, ranges, facts, allocate);
    assert.notEqual(mine.key.data.buffer, other.key.data.buffer);
    assert.notEqual(mine.key.data.buffer, fields.key.data.buffer);
  });
});

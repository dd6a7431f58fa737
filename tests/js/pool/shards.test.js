// Division of a call by the pool: every query of every head is computed once, shards cost about the same, and the slices of
// their tensors are copied out and back exactly.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import fc from 'fast-check';

import { countWork, divide } from '../../../web/lib/pool/shards.js';
import { copyBox, writeBox } from '../../../web/lib/arguments/box.js';
import { sizeOf } from '../../support/js/random_tensors.js';

const SEED = 2017;

const upTo = (max) => fc.integer({ min: 0, max });
const positive = (max) => fc.integer({ min: 1, max });

/** Options, facts and a number of shards. Lists are cut to the batch. */
const arbitraryDivision = fc
  .record({
    batch: positive(3),
    kvHeads: positive(4),
    group: positive(3),
    qLen: fc.oneof(upTo(9), fc.constantFrom(63, 64, 65, 127, 128, 129, 300)),
    kLen: fc.oneof(upTo(9), fc.constantFrom(64, 65, 200)),
    count: fc.oneof(positive(5), fc.constantFrom(16, 100)),
    headsTogether: fc.boolean(),
    causal: fc.constantFrom(undefined, false, true),
    offset: fc.option(
      fc.oneof(
        fc.integer({ min: -310, max: 310 }),
        fc.array(fc.integer({ min: -310, max: 310 }), { minLength: 3, maxLength: 3 }),
      ),
      { nil: undefined },
    ),
    window: fc.option(fc.tuple(fc.option(upTo(90)), fc.option(upTo(90))), { nil: undefined }),
    keyLengths: fc.option(fc.array(upTo(200), { minLength: 3, maxLength: 3 }), { nil: undefined }),
  })
  .map(({ batch, kvHeads, group, qLen, kLen, count, headsTogether, ...options }) => {
    if (Array.isArray(options.offset)) options.offset = options.offset.slice(0, batch);
    const lengths = options.keyLengths?.slice(0, batch).map((size) => Math.min(size, kLen));
    const facts = { batch, kvHeads, heads: kvHeads * group, qLen, kLen, block: 64 };
    return { options: { ...options, keyLengths: lengths }, facts, count, headsTogether };
  });

/** For every batch entry and query the number of visible keys, counted one by one. */
function countKeys({ causal, offset, window, keyLengths }, { batch, qLen, kLen }) {
  const [left, right] = window ?? [null, null];
  return Array.from({ length: batch }, (_, entry) => {
    const before = Array.isArray(offset) ? offset[entry] : (offset ?? 0);
    return Array.from({ length: qLen }, (__, query) => {
      const position = before + query;
      let seen = 0;
      for (let key = 0; key < (keyLengths?.[entry] ?? kLen); key++) {
        if (causal && key > position) continue;
        if (left !== null && key < position - left) continue;
        if (right !== null && key > position + right) continue;
        seen++;
      }
      return seen;
    });
  });
}

const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
const each = ([first, last], visit) => {
  for (let at = first; at < last; at++) visit(at);
};

function costOf(share, keys) {
  let cost = 0;
  for (const { batch, kvHeads, queries } of share) {
    each(
      batch,
      (entry) => (cost += (kvHeads[1] - kvHeads[0]) * sum(keys[entry].slice(...queries))),
    );
  }
  return cost;
}

describe('shards of the pool', () => {
  const holds = (property) =>
    fc.assert(fc.property(arbitraryDivision, property), { seed: SEED, numRuns: 400 });

  it('compute every query of every head once', () => {
    holds(({ options, facts, count, headsTogether }) => {
      const { batch, kvHeads, qLen } = facts;
      const times = new Uint8Array(batch * kvHeads * qLen);
      for (const box of divide(options, facts, count, headsTogether).flat()) {
        each(box.batch, (entry) =>
          each(box.kvHeads, (head) =>
            each(box.queries, (query) => {
              assert.ok(entry < batch && head < kvHeads && query < qLen);
              times[(entry * kvHeads + head) * qLen + query]++;
            }),
          ),
        );
      }
      assert.ok(times.every((count) => count === 1));
    });
  });

  it('are at most as many as requested, none nearly empty, and begin at kernel blocks', () => {
    holds(({ options, facts, count, headsTogether }) => {
      const shares = divide(options, facts, count, headsTogether);
      assert.ok(shares.length <= count);
      for (const share of shares) {
        assert.ok(share.length > 0);
        for (const { batch, kvHeads, queries } of share) {
          for (const [first, last] of [batch, kvHeads, queries]) assert.ok(first < last);
          assert.equal(queries[0] % 64, 0);
          if (headsTogether) assert.deepEqual(kvHeads, [0, facts.kvHeads]);
        }
      }
    });
  });

  // A tensor without numbers can have any dims.
  it('cost nothing without heads or queries, and are not counted one by one', () => {
    let reads = 0;
    const options = {
      get causal() {
        if (++reads > 4) throw new Error('each batch entry is counted');
        return false;
      },
    };
    const most = 2 ** 32 - 1;
    for (const facts of [
      { batch: most, heads: 0, kvHeads: 0, qLen: 5, kLen: 5, block: 64 },
      { batch: 1, heads: 0, kvHeads: 0, qLen: most, kLen: 5, block: 64 },
      { batch: most, heads: 3, kvHeads: 3, qLen: 0, kLen: 5, block: 64 },
    ]) {
      assert.equal(countWork(options, facts), 0);
    }
  });

  it('cost the same up to a block of queries, with any window', () => {
    holds(({ options, facts, count, headsTogether }) => {
      const keys = countKeys(options, facts);
      const total = sum(keys.flat()) * facts.kvHeads;
      assert.equal(countWork(options, facts), (total / facts.kvHeads) * facts.heads);
      const together = headsTogether ? facts.kvHeads : 1;
      const blocks = keys.flatMap((queries) =>
        queries.map((_, at) => (at % 64 ? 0 : together * sum(queries.slice(at, at + 64)))),
      );
      const largest = Math.max(0, ...blocks);
      const costs = divide(options, facts, count, headsTogether).map((one) => costOf(one, keys));
      for (const cost of costs) assert.ok(Math.abs(cost - total / count) <= largest + 1e-6);
      if (costs.length < count) assert.ok(total / count <= largest);
    });
  });

  it('halve the area of a causal triangle, not its rows', () => {
    const facts = { batch: 1, kvHeads: 1, heads: 1, qLen: 1024, kLen: 1024, block: 64 };
    const whole = { batch: [0, 1], kvHeads: [0, 1] };
    assert.deepEqual(divide({ causal: true }, facts, 2, false), [
      [{ ...whole, queries: [0, 704] }],
      [{ ...whole, queries: [704, 1024] }],
    ]);
    assert.deepEqual(divide({}, facts, 2, false), [
      [{ ...whole, queries: [0, 512] }],
      [{ ...whole, queries: [512, 1024] }],
    ]);
  });

  it('are few ranges: whole heads and batch entries where possible', () => {
    const facts = { batch: 4, kvHeads: 3, heads: 6, qLen: 130, kLen: 7, block: 64 };
    const all = { kvHeads: [0, 3], queries: [0, 130] };
    assert.deepEqual(divide({}, facts, 1, false), [[{ batch: [0, 4], ...all }]]);
    assert.deepEqual(divide({}, facts, 2, false), [
      [{ batch: [0, 2], ...all }],
      [{ batch: [2, 4], ...all }],
    ]);
  });
});

const arrays = [Float32Array, Float64Array, Uint8Array, Uint16Array];

/** A tensor of the numbers 1, 2, 3 … and a slice of it: a range for each axis. */
const arbitraryBox = fc
  .record({
    axes: fc.array(fc.tuple(upTo(5), upTo(5), upTo(5)), { minLength: 1, maxLength: 4 }),
    TypedArray: fc.constantFrom(...arrays),
  })
  .map(({ axes, TypedArray }) => {
    const ordered = axes.map((places) => [...places].sort((a, b) => a - b));
    const dims = ordered.map((places) => places[2]);
    const box = ordered.map(([first, last]) => [first, last]);
    const data = TypedArray.from({ length: sizeOf(dims) }, (_, at) => (at % 255) + 1);
    return { tensor: { data, dims, type: 'some type' }, box };
  });

/** True if each number of a tensor is in a slice, in order. */
function membership(dims, box) {
  return Array.from({ length: sizeOf(dims) }, (_, at) => {
    let rest = at;
    return dims
      .map((dim, axis) => ({ dim, range: box[axis] }))
      .reverse()
      .every(({ dim, range: [first, last] }) => {
        const place = rest % dim;
        rest = (rest - place) / dim;
        return first <= place && place < last;
      });
  });
}

describe('slices of tensors', () => {
  it('are copied unchanged into new memory', () => {
    fc.assert(
      fc.property(arbitraryBox, ({ tensor, box }) => {
        const inside = membership(tensor.dims, box);
        const { data, dims, type } = copyBox(tensor, box);
        assert.deepEqual(
          dims,
          box.map(([first, last]) => last - first),
        );
        assert.equal(type, tensor.type);
        assert.deepEqual(
          data,
          tensor.data.filter((_, at) => inside[at]),
        );
        assert.notEqual(data.buffer, tensor.data.buffer);
        assert.equal(data.buffer.byteLength, data.byteLength);
      }),
      { seed: SEED, numRuns: 500 },
    );
  });

  it('are written back to their range only', () => {
    fc.assert(
      fc.property(arbitraryBox, ({ tensor, box }) => {
        const inside = membership(tensor.dims, box);
        const data = new tensor.data.constructor(tensor.data.length);
        writeBox({ data, dims: tensor.dims }, box, copyBox(tensor, box).data);
        assert.deepEqual(
          data,
          tensor.data.map((number, at) => (inside[at] ? number : 0)),
        );
      }),
      { seed: SEED, numRuns: 500 },
    );
  });
});

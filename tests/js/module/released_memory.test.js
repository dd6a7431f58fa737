// release(): memory of released results is reused for later results.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';

const tensor = (factor, ...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) =>
    Math.sin(factor * at),
  ),
  dims,
});
const x = tensor(1, 600, 8); // its weights are large enough to be kept
const y = tensor(2, 600, 8);
const options = { weights: true, scores: ['raw', 'capped'], softcap: 2, logSumExp: true };

/** Number of results with fresh memory during `work`. */
function freshDuring(work) {
  const { slice } = Float32Array.prototype;
  let fresh = 0;
  Float32Array.prototype.slice = function counted(...range) {
    fresh++;
    return slice.apply(this, range);
  };
  try {
    work();
  } finally {
    Float32Array.prototype.slice = slice;
  }
  return fresh;
}

describe('release()', () => {
  it('empties every array of a result, or one tensor', async () => {
    const { attention, release } = await loadAttention({ kernels: 'simd' });
    const result = attention(x, x, x, options);
    release(result.weights);
    assert.deepEqual([result.weights.data.length, result.output.data.length], [0, 600 * 8]);
    release(result);
    const { output, weights, scores, logSumExp } = result;
    for (const { data } of [output, weights, scores.raw, scores.capped, logSumExp]) {
      assert.deepEqual([data.length, data.buffer.byteLength], [0, 0]);
    }
    release(result);
  });

  it('makes the next result of this size reuse the memory, once, with the right numbers', async () => {
    const { attention, release } = await loadAttention({ kernels: 'simd' });
    const weightsOf = (z) => attention(z, z, z, { weights: true }).weights;
    const expected = [x, y].map(weightsOf);
    const old = weightsOf(x);
    release(old);
    release(old);
    const found = [];
    // Outputs are fresh, the first weights reuse memory, the second are fresh.
    assert.equal(
      freshDuring(() => found.push(weightsOf(y))),
      1,
    );
    assert.equal(
      freshDuring(() => found.push(weightsOf(x))),
      2,
    );
    assert.deepEqual(found, [expected[1], expected[0]]);
    assert.notEqual(found[0].data.buffer, found[1].data.buffer);
    assert.equal(old.data.length, 0);
    found[0].data.fill(7);
    assert.deepEqual(found[1], expected[0]);
  });

  it('does not affect results of another size', async () => {
    const { attention, release } = await loadAttention({ kernels: 'simd' });
    release(attention(x, x, x, { weights: true }));
    const smaller = tensor(1, 599, 8);
    assert.equal(
      freshDuring(() => attention(smaller, smaller, smaller, { weights: true })),
      2,
    );
  });

  it('retains at most half a GiB, the last released', async () => {
    const { softmax, release } = await loadAttention({ kernels: 'simd' });
    const of = (megabytes) =>
      softmax({ data: new Float32Array(megabytes << 18), dims: [megabytes, 1 << 18] });
    release(of(10));
    const large = Array.from({ length: 5 }, () => ({
      data: new Float32Array(1 << 25),
      dims: [1 << 25],
    }));
    for (const one of large) release(one);
    assert.equal(
      freshDuring(() => of(10)),
      1,
    );
    assert.equal(
      freshDuring(() => of(128)),
      0,
    );
  });

  it('refuses anything but a whole result', async () => {
    const { release } = await loadAttention({ kernels: 'simd' });
    const part = { data: new Float32Array(8).subarray(1), dims: [7] };
    const refused = [
      [undefined, /^result must be a result of this API, found undefined$/],
      [{ output: 3 }, /^result\.output must be a result of this API, found 3$/],
      [{}, /^result must be a result of this API, found an object$/],
      [{ data: [1], dims: [1] }, /^result\.data must be a Float32Array, found an array$/],
      [
        { output: part },
        /^result\.output\.data is a part of other memory: only all of it can be released$/,
      ],
    ];
    for (const [result, message] of refused) {
      assert.throws(() => release(result), { name: 'TypeError', message });
    }
    assert.equal(part.data.length, 7);
  });
});

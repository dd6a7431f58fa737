// Memory: streaming is linear, calls leave nothing behind, and what cannot be had is an error.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';

const MiB = 2 ** 20;
const tensor = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => Math.sin(at)),
  dims,
});

describe('memory', () => {
  for (const causal of [false, true]) {
    it(`stays below arguments + output + 8 MiB for 1×4096×64${causal ? ', causal' : ''}`, async (t) => {
      const { attention, memoryBytes } = await loadAttention({ kernels: 'simd' });
      const x = tensor(1, 4096, 64);
      const { output } = attention(x, x, x, { causal });
      const transported = 3 * x.data.byteLength + output.data.byteLength;
      t.diagnostic(
        `note: ${((memoryBytes() - transported) / MiB).toFixed(2)} MiB beyond arguments and output`,
      );
      assert.ok(memoryBytes() < transported + 8 * MiB);
    });
  }

  it('stays where it was after the first hundred of 100,000 calls of mixed shapes', async () => {
    const { attention, scores, softmax, memoryBytes } = await loadAttention({ kernels: 'simd' });
    const inputs = [1, 3, 8, 17, 40].flatMap((n) =>
      [1, 4, 12].map((d) => [tensor(1, n, d), tensor(2, n, 2 * d)]),
    );
    let after = 0;
    for (let call = 0; call < 100_000; call++) {
      const [x, y] = inputs[call % inputs.length];
      if (call % 7 === 0) softmax(scores(x, x));
      else if (call % 3 === 0) attention(y, y, y, { heads: 2, weights: true, keyLengths: [1, 1] });
      else attention(x, x, x, { causal: true });
      if (call % 1001 === 0) assert.throws(() => attention(x, y, y), RangeError);
      if (call === 100) after = memoryBytes();
    }
    assert.equal(memoryBytes(), after);
  });

  it('is an error where there is none, and the instance works on', async () => {
    const { attention, memoryBytes } = await loadAttention({ kernels: 'simd' });
    const small = tensor(3, 4);
    const { output } = attention(small, small, small);
    const before = memoryBytes();
    const grow = WebAssembly.Memory.prototype.grow;
    WebAssembly.Memory.prototype.grow = () => {
      throw new RangeError('no');
    };
    try {
      const large = tensor(2000, 64);
      assert.throws(() => attention(large, large, large), {
        name: 'RangeError',
        message: /^out of memory: this call needs \d+ MiB more than there is$/,
      });
    } finally {
      WebAssembly.Memory.prototype.grow = grow;
    }
    assert.equal(memoryBytes(), before);
    assert.deepEqual(attention(small, small, small).output, output);
  });

  it('can be used beyond 2 GiB', async () => {
    const { attention, memoryBytes } = await loadAttention({ kernels: 'simd' });
    const n = 23_500; // n² weights are 2.06 GiB
    const x = { data: new Float32Array(n), dims: [n, 1] };
    x.data.fill(1);
    const { weights } = attention(x, x, x, { weights: true });
    assert.ok(memoryBytes() > 2 ** 31);
    assert.equal(weights.data.length, n * n);
    assert.ok(Math.abs(weights.data.at(-1) * n - 1) < 1e-3);
  });
});

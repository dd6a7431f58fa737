// Memory near WebAssembly's limit of 4 GiB: a block that is granted ends within the memory and overlaps no other. Most of
// the memory is reserved and never written, so that the engine needs little of the machine's.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadTraining } from 'attention-wasm/training';
import { allocatorOf } from '../../support/js/module_memory.js';
import { seeded } from '../../support/js/random_tensors.js';

const MiB = 2 ** 20;
const GiB = 2 ** 30;
const noMemory = {
  name: 'OutOfMemoryError',
  message: /^out of memory: could not allocate \d+ MiB/,
};
const filled = (value, ...dims) => ({
  data: new Float32Array(dims.reduce((a, b) => a * b, 1)).fill(value),
  dims,
});

/** A cache of about that size, which is not written. */
const cacheOf = ({ KeyValueCache }, bytes) =>
  new KeyValueCache({ keyDim: 512, valueDim: 512, capacity: Math.floor(bytes / 4096) });

describe('a request beyond 4 GiB in total', () => {
  it('is out of memory for a result beside a large object; other objects stay usable', async () => {
    const api = await loadAttention({ kernels: 'simd' });
    const large = cacheOf(api, GiB);
    const small = api.Linear.fromWeights({ weight: filled(1, 64, 64) });
    const x = filled(1, 28_400, 8); // with 3.005 GiB of scores
    assert.throws(() => api.scores(x, x), noMemory);
    assert.equal(small.forward(filled(1, 1, 64)).data[0], 64);
    large.delete();
  });

  it('is not granted a gap between objects that is too small for it', async () => {
    const api = await loadAttention({ kernels: 'simd' });
    const others = Array.from({ length: 15 }, () => cacheOf(api, GiB / 4));
    const gap = api.Linear.reserve({ inDim: 1024, outDim: 2048 });
    const victim = api.Linear.fromWeights({ weight: filled(1, 1024, 2048) });
    others.push(api.Linear.reserve({ inDim: 1024, outDim: 8 }));
    gap.delete();
    assert.throws(() => cacheOf(api, 313 * MiB), noMemory);
    assert.equal(victim.forward(filled(1, 1, 1024)).data[0], 1024);
    for (const other of others) other.delete();
  });

  it('is out of memory for a model to train; another one stays usable', async () => {
    const { TrainableTransformer } = await loadTraining();
    const sizes = { kind: 'decoder', layers: 1, heads: 1, context: 8 };
    const small = new TrainableTransformer({ ...sizes, vocabulary: 20_000, width: 64 });
    const before = small.run([1, 2]).logits.data;
    const large = { ...sizes, vocabulary: 249_500, width: 1024 }; // 4,091 MiB with gradients and moments
    assert.throws(() => new TrainableTransformer(large), noMemory);
    assert.deepEqual(small.run([1, 2]).logits.data, before);
  });
});

describe('one block', () => {
  it('can have 3 GiB, also after a request that was refused', async () => {
    const api = await loadAttention({ kernels: 'simd' });
    cacheOf(api, 3 * GiB).delete();
    const other = cacheOf(api, GiB);
    assert.throws(() => cacheOf(api, 3.5 * GiB), noMemory);
    other.delete();
    cacheOf(api, 3 * GiB).delete();
    assert.ok(api.memoryBytes() < 3.01 * GiB, `${api.memoryBytes() / MiB} MiB`);
  });
});

for (const name of ['attention', 'training']) {
  describe(`the allocator of ${name}.wasm`, () => {
    it('grants blocks within the memory that do not overlap, of any size and in any order', async () => {
      const { allocate, release, size } = await allocatorOf(name);
      const { chance, integer, uniform } = seeded('blocks');
      const blocks = [];
      let [granted, refused] = [0, 0];
      for (let round = 0; round < 3000; round++) {
        if (blocks.length > 0 && chance(0.45)) {
          const [{ address }] = blocks.splice(integer(0, blocks.length - 1), 1);
          release(address);
          continue;
        }
        const bytes = Math.floor(2 ** (6 + 26 * uniform()));
        const address = allocate(bytes);
        if (address === 0) {
          refused++;
          continue;
        }
        granted++;
        const end = address + bytes;
        assert.ok(end <= size(), `${bytes} bytes at ${address} end at ${end} of ${size()}`);
        const overlapped = blocks.find((block) => address < block.end && block.address < end);
        assert.equal(overlapped, undefined, `${bytes} bytes at ${address}`);
        blocks.push({ address, end });
      }
      assert.ok(granted > 500 && refused > 100, `${granted} granted, ${refused} refused`);
      assert.ok(size() > 3.5 * GiB, `${size()} bytes`);
    });
  });
}

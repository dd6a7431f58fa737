// Caller code that runs while arguments are read (getters, iterators, subclasses) changes no number and reaches no memory
// of the module.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { loadAttention } from 'attention-wasm';
import { loadAttention as loadFromCore } from 'attention-wasm/core';
import { loadAttentionPool } from 'attention-wasm/pool';

import { normalTensor, seeded } from '../../support/js/random_tensors.js';

const wasmPath = fileURLToPath(new URL('../../../web/built/attention.wasm', import.meta.url));
const random = seeded('code of the caller');
const tensor = (...dims) => normalTensor(random, dims);
const square = () => tensor(8, 8);
const deletedError = (name) => ({ name: 'DeletedError', message: `this ${name} was deleted` });

/** A tensor that runs `act` whenever its dims are read. */
const readingDoes = ({ data, dims }, act) => ({
  data,
  get dims() {
    act();
    return dims;
  },
});

describe('an object that is deleted while a call is read', async () => {
  const api = await loadAttention();
  const { KeyValueCache, Linear, MultiHeadAttention } = api;
  const weights = { query: square(), key: square(), value: square(), output: square() };
  const x = tensor(3, 8);

  const newCache = () => new KeyValueCache({ keyDim: 8, capacity: 4 });
  /** Deletes a cache and fills another, which may get the same memory. */
  const replace = (cache) => () => {
    cache.delete();
    newCache().append(x, x);
  };

  it('is a cache that attends', () => {
    const cache = newCache();
    cache.append(x, x);
    const act = replace(cache);
    const options = {
      get causal() {
        act();
        return false;
      },
    };
    assert.throws(() => cache.attend(x, options), deletedError('KeyValueCache'));
    const appending = newCache();
    const moving = readingDoes(x, replace(appending));
    assert.throws(() => appending.append(moving, x), deletedError('KeyValueCache'));
  });

  it('is a layer, or a cache that a layer is given', () => {
    const linear = Linear.fromWeights({ weight: square() });
    const deleting = (object) => readingDoes(x, () => object.delete());
    assert.throws(() => linear.forward(deleting(linear)), deletedError('Linear'));
    const make = () => MultiHeadAttention.fromWeights(weights, { heads: 2 });
    for (const method of ['forward', 'project', 'projectContext']) {
      const layer = make();
      assert.throws(
        () => layer[method](deleting(layer)),
        deletedError('MultiHeadAttention'),
        method,
      );
    }
    const layer = make();
    for (const give of [
      (cache) => layer.forward(deleting(cache), null, { cache }),
      (cache) => layer.forward(deleting(cache), cache),
    ]) {
      const cache = layer.createCache({ capacity: 4 });
      assert.throws(() => give(cache), { name: 'DeletedError', message: /cache|context|Cache/ });
    }
  });

  it('is a layer of the Transformer, here or in a pool', async () => {
    const state = {
      'self_attn.in_proj_weight': tensor(24, 8),
      'self_attn.out_proj.weight': square(),
      'multihead_attn.in_proj_weight': tensor(24, 8),
      'multihead_attn.out_proj.weight': square(),
      'linear1.weight': square(),
      'linear2.weight': square(),
      'norm1.weight': tensor(8),
      'norm2.weight': tensor(8),
      'norm3.weight': tensor(8),
    };
    const pool = await loadAttentionPool({ workers: 1 });
    const make = (from) => from.TransformerDecoderLayer.fromTorch(state, { heads: 2 });
    const gone = deletedError('TransformerDecoderLayer');
    const [direct, projecting, pooled] = [make(api), make(api), make(pool)];
    const deleting = (layer) => readingDoes(x, () => layer.delete());
    assert.throws(() => direct.forward(x, deleting(direct)), gone);
    assert.throws(() => projecting.projectMemory(deleting(projecting)), gone);
    await assert.rejects(pooled.forward(x, deleting(pooled)), gone);
    const multiHead = pool.MultiHeadAttention.fromWeights(weights, { heads: 2 });
    await assert.rejects(
      multiHead.forward(deleting(multiHead)),
      deletedError('MultiHeadAttention'),
    );
    await pool.close();
  });
});

describe('numbers of the caller', async () => {
  const api = await loadAttention();

  it('are int8 with scales that are read once, before the next argument', () => {
    const data = Int8Array.from({ length: 24 }, (_, at) => at - 12);
    const scales = Float32Array.of(0.5, 0.25, 2);
    const x = { data, dims: [3, 8], scales };
    const want = api.attention(x, x, x, { scale: 0.01 });
    let iterated = 0;
    class Scales extends Float32Array {
      [Symbol.iterator]() {
        iterated++;
        return super[Symbol.iterator]();
      }
    }
    const own = { data, dims: [3, 8], scales: Scales.from(scales) };
    const before = iterated;
    const changing = readingDoes({ data: Float32Array.from(data), dims: [3, 8] }, () => {
      own.scales.fill(9);
    });
    const plain = { data: Float32Array.from(data), dims: [3, 8] };
    assert.deepEqual(
      api.scores(own, changing, { scale: 0.01 }),
      api.scores(x, plain, { scale: 0.01 }),
    );
    assert.equal(iterated, before);
    assert.deepEqual(api.attention(x, x, x, { scale: 0.01 }), want);
  });

  it('are rows that embed() copies into an array of the language', () => {
    class Rows extends Float32Array {}
    const { data, dims } = tensor(5, 3);
    const vectors = api.embed([1, 4], { data: Rows.from(data), dims });
    assert.equal(Object.getPrototypeOf(vectors.data), Float32Array.prototype);
    assert.deepEqual(vectors, api.embed([1, 4], { data, dims }));
  });

  it('are not options', () => {
    const x = tensor(3, 8);
    const { name, message } = new TypeError('the options of scores() must be an object, found 5');
    assert.throws(() => api.scores(x, x, 5), { name, message });
    // null and undefined count as absent.
    const usual = api.scores(x, x, { causal: true });
    for (const scores of [undefined, null, 'biased']) {
      assert.deepEqual(api.scores(x, x, { causal: true, scores }), usual);
    }
  });

  // The buffer grows while the module allocates, between the check of a large call and the copy of its arguments, as another
  // thread could grow it at any time.
  for (const Memory of [globalThis.SharedArrayBuffer, ArrayBuffer]) {
    const grow = Memory?.prototype.grow ?? Memory?.prototype.resize;
    const skip = grow === undefined && 'no memory that grows';
    it(`may become more between check and copy, in a ${Memory?.name}`, { skip }, async () => {
      const rows = 300;
      const half = (count) => new Uint16Array(count).fill(0x3c00);
      const wide = (count) => new Float32Array(count).fill(1);
      const kinds = {
        float32: [Float32Array, 1],
        float64: [Float64Array, 1],
        float16: [Uint16Array, 0x3c00, { type: 'float16' }],
        int8: [Int8Array, 1, { scales: wide(rows) }],
        mask: [Uint8Array, 1],
      };
      for (const [kind, [Numbers, one, rest]] of Object.entries(kinds)) {
        const fresh = await loadFromCore({ wasm: await readFile(wasmPath) });
        fresh.attention(square(), square(), square()); // the first call of its kind reads its fields
        const bytes = rows * Numbers.BYTES_PER_ELEMENT;
        const memory = new Memory(bytes, { maxByteLength: 2 ** 20 });
        const numbers = new Numbers(memory).fill(one);
        const tensor = { data: numbers, dims: [rows, 1], ...rest };
        const value =
          kind === 'mask' ? { data: half(rows), dims: [rows, 1], type: 'float16' } : tensor;
        const mask = {
          data: kind === 'mask' ? numbers : new Uint8Array(rows).fill(1),
          dims: [1, rows],
        };
        const { prototype } = WebAssembly.Memory;
        const usual = Object.getOwnPropertyDescriptor(prototype, 'buffer');
        let grown = 0;
        const get = function () {
          if (memory.byteLength === bytes) {
            grow.call(memory, 2 ** 20);
            grown++;
          }
          return usual.get.call(this);
        };
        Object.defineProperty(prototype, 'buffer', { ...usual, get });
        try {
          const query = { data: wide(4000), dims: [1, 4000] };
          const key = { data: wide(rows * 4000), dims: [rows, 4000] };
          const { output, weights } = fresh.attention(query, key, value, { mask, weights: true });
          assert.equal(grown, 1, kind);
          assert.ok(Math.abs(output.data[0] - 1) < 1e-5, `${kind}: ${output.data[0]}`);
          for (const weight of weights.data) assert.ok(Math.abs(weight * rows - 1) < 1e-5, kind);
        } finally {
          Object.defineProperty(prototype, 'buffer', usual);
        }
      }
    });
  }

  it('may be absent: billions of empty rows take no time', async () => {
    const pool = await loadAttentionPool({ workers: 1 });
    const nothing = { data: new Float32Array(0), dims: [2 ** 32 - 1, 1, 0, 2] };
    const call = [nothing, nothing, nothing];
    assert.equal(api.kernelAttention(...call, { similarity: () => 1 }).output.data.length, 0);
    assert.equal((await pool.attention(...call)).output.data.length, 0);
    for (const sizes of [
      [0, 2 ** 32 - 2],
      [2 ** 32 - 1, 0],
    ]) {
      assert.deepEqual(api.sinusoidalPositions(...sizes).dims, sizes);
    }
    await pool.close();
  });

  it('are offsets of any number', async () => {
    const pool = await loadAttentionPool({ workers: 2 });
    const batch = 250_000;
    const x = { data: new Float32Array(batch * 16).fill(0.5), dims: [batch, 1, 1, 16] };
    const options = { causal: true, offset: Array(batch).fill(0) };
    assert.deepEqual(await pool.attention(x, x, x, options), api.attention(x, x, x, options));
    await pool.close();
  });
});

// Code of the caller's that runs while his arguments are read (getters, iterators, classes of his own), and
// what somebody added to Object.prototype: neither changes a number or reaches memory of the module.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';

import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';

import { root, run } from '../../support/js/package.js';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';

const random = seeded('code of the caller');
const tensor = (...dims) => normalTensor(random, dims);
const square = () => tensor(8, 8);
const deletedError = (name) => ({ name: 'DeletedError', message: `this ${name} was deleted` });

/** The tensor, which does something whenever its dims are read. */
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

  it('are no options', () => {
    const x = tensor(3, 8);
    const { name, message } = new TypeError('the options of scores() must be an object, found 5');
    assert.throws(() => api.scores(x, x, 5), { name, message });
    // What counts as not given is not given.
    const usual = api.scores(x, x, { causal: true });
    for (const scores of [undefined, null, 'biased']) {
      assert.deepEqual(api.scores(x, x, { causal: true, scores }), usual);
    }
  });

  it('are none: empty work of billions is done at once', async () => {
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

describe('what was added to Object.prototype', () => {
  it('changes no call, whatever its name', async () => {
    const names =
      `activation at average base batch bandwidth bias block cache capacity causal configurable
      constant context cos createWorker cross crossKeyLengths crossMask data degree dims dim enumerable
      epsilon error featureMap fields get given headOutputs heads id index interleaved kernels key
      keyDim keyLengths kvHeads layer length locale localeMatcher logSumExp mask memory memoryCache
      metadata name noun norm normFirst object offset output outputBias positions prefix query
      queryCost rank required result S scale scales scores seed set similarity sin sinks size sliding
      slopes softcap stacked stackedBias state task torch type value valueDim weight weights width
      window workers writable z`.split(/\s+/);
    const program = fileURLToPath(new URL('../../support/js/polluted_calls.js', import.meta.url));
    assert.equal(await run(process.execPath, [program, ...names], root), '\n');
  });
});

describe('a call that is interrupted', () => {
  const x = tensor(16, 64);

  /** Calls at the end of the stack, and nearer to its beginning until the call has room. */
  function callAtTheEnd(call) {
    try {
      callAtTheEnd(call);
    } catch {
      call();
    }
  }

  it('is a clear error ever after, never other numbers, and a fresh module is to be had', async () => {
    const expected = (await loadAttention()).attention(x, x, x).output.data;
    let interrupted = 0;
    for (let round = 0; round < 400; round++) {
      const { attention } = await loadAttention();
      try {
        callAtTheEnd(() => attention(x, x, x));
      } catch (error) {
        assert.match(
          error.message,
          /^a call was interrupted \(.+\), and what it left cannot be used/,
        );
        assert.ok(error.cause instanceof Error);
        assert.throws(() => attention(x, x, x), { message: error.message });
        interrupted++;
      }
      const { output } = (await loadAttention()).attention(x, x, x);
      assert.deepEqual(output.data, expected);
    }
    assert.ok(interrupted > 0, 'no call ran out of stack within the module');
  });

  it('leaves the objects of its module refusing, and deleting them harmless', async () => {
    const { attention, Linear } = await loadAttention();
    const linear = Linear.fromWeights({ weight: square() });
    for (let round = 0; round < 400; round++) {
      try {
        callAtTheEnd(() => attention(x, x, x));
      } catch {
        break;
      }
    }
    assert.throws(() => linear.forward(tensor(3, 8)), /interrupted/);
    linear.delete();
  });
});

// Layers of the pool: the bits of the layers for any number of workers, and memory after deletion.
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import { loadAttention } from 'attention-wasm';
import { loadAttentionPool } from 'attention-wasm/pool';
import fc from 'fast-check';

import {
  additiveMask,
  booleanMask,
  normalTensor,
  seeded,
} from '../../support/js/random_tensors.js';
import { filled } from '../../support/js/rearrange.js';
import { same, watchedPool } from '../../support/js/watched_pool.js';
import {
  SEED,
  COUNTS,
  range,
  errorOf,
  failAlike,
  until,
  layerWidth,
  layerWeights,
  torchState,
  perHead,
  transformerWidth,
  transformerState,
  makeTransformer,
} from '../../support/js/pooled_calls.js';

describe('the MultiHeadAttention of the pool has the bits of the layer', async () => {
  const { MultiHeadAttention } = await loadAttention();
  const pools = await Promise.all(COUNTS.map((workers) => loadAttentionPool({ workers })));
  after(() => Promise.all(pools.map((pool) => pool.close())));

  /** make: a layer of the class given; calls: the arguments of forward(). */
  const check = async (make, calls) => {
    const direct = make(MultiHeadAttention);
    const want = calls.map((args) => direct.forward(...args));
    for (const pool of pools) {
      const layer = make(pool.MultiHeadAttention);
      for (const name of ['heads', 'kvHeads', 'keyDim', 'valueDim', 'modelDim']) {
        assert.equal(layer[name], direct[name], name);
      }
      for (const [at, args] of calls.entries()) {
        same(await layer.forward(...args), want[at], `call ${at} with ${pool.workers} workers`);
      }
      layer.delete();
    }
    direct.delete();
  };

  const random = seeded('pooled layers');
  const sizes = { heads: 6, kvHeads: 3 };
  const x = normalTensor(random, [350, layerWidth]);
  const batched = normalTensor(random, [2, 260, layerWidth]);
  const asked = { weights: true, scores: 'biased', logSumExp: true, headOutputs: true };

  it('of weights with and without biases, with and without an output', async () => {
    for (const biases of [true, false]) {
      for (const out of [80, 0]) {
        const weights = layerWeights(random, { biases, out });
        const make = (Layer) => Layer.fromWeights(weights, sizes);
        await check(make, [
          [x],
          [x, null, asked],
          [x, x, { weights: 'average', causal: true }],
          [batched, undefined, { ...asked, scores: 'raw' }],
          [batched, batched, { weights: 'average', scores: 'capped', softcap: 2 }],
          [normalTensor(random, [3, layerWidth]), null, asked],
        ]);
      }
    }
  });

  it('of state dicts, stacked and separate', async () => {
    for (const separate of [false, true]) {
      for (const bias of [false, true]) {
        const prefix = separate ? 'layer.' : '';
        const state = torchState(random, { separate, bias, prefix });
        const make = (Layer) => Layer.fromTorch(state, { heads: 6, prefix });
        await check(make, [[x], [batched, null, { ...asked, causal: true }]]);
      }
    }
    const state = torchState(random, { separate: true, contextWidth: 40 });
    const make = (Layer) => Layer.fromTorch(state, { heads: 6 });
    await check(make, [[x, normalTensor(random, [400, 40]), asked]]);
  });

  it('with a context, of any length', async () => {
    const weights = layerWeights(random, { contextWidth: 40 });
    const make = (Layer) => Layer.fromWeights(weights, sizes);
    const context = (...dims) => normalTensor(random, [...dims, 40]);
    await check(make, [
      [x, context(500), asked],
      [x, context(1)],
      [x, context(0), { logSumExp: true }],
      [batched, context(2, 300), { ...asked, keyLengths: [300, 0] }],
    ]);
  });

  it('with every option', async () => {
    const weights = layerWeights(random);
    const make = (Layer) => Layer.fromWeights(weights, sizes);
    const kLen = 200;
    const context = normalTensor(random, [2, kLen, layerWidth]);
    const full = [2, 6, 260, kLen];
    const masks = range(0, 16).flatMap((axes) => {
      const dims = full.map((size, axis) => ((axes >> axis) & 1 ? size : 1));
      const shown = Math.min(3, dims.findIndex((size) => size > 1) & 3);
      return [booleanMask(random, dims, 0.8), additiveMask(random, dims.slice(shown), 0.2)];
    });
    const at = { offset: -20 };
    await check(make, [
      [batched, context, { causal: true, ...at, ...asked }],
      [batched, context, { causal: true, offset: [-20, 4], weights: 'average' }],
      [batched, context, { window: [10, 40], ...at, scores: 'raw' }],
      [batched, context, { ...perHead, ...at, ...asked }],
      [batched, context, { scale: 0.3, softcap: 1.5, ...asked, scores: 'capped' }],
      [batched, context, { keyLengths: [100, 31], weights: 'average' }],
      ...masks.map((mask) => [batched, context, { mask, weights: true }]),
      [batched, context, { mask: masks[30], ...perHead, causal: true, ...at, ...asked }],
    ]);
    const mask = booleanMask(random, [6, 350, 350], 0.7);
    await check(make, [[x, x, { mask, ...perHead, ...asked }]]);
  });

  it('of one head, and of heads with separate keys', async () => {
    const put = (...dims) => normalTensor(random, dims, dims[0] ** -0.5);
    for (const heads of [1, 7]) {
      const width = 84;
      const weights = {
        query: put(layerWidth, width),
        key: put(layerWidth, width),
        value: put(layerWidth, width),
        output: put(width, 90),
      };
      const make = (Layer) => Layer.fromWeights(weights, { heads });
      await check(make, [
        [x, null, asked],
        [batched, null, { weights: 'average' }],
      ]);
    }
  });

  it('of 16-bit numbers and float64', async () => {
    const half = ({ dims, data }) => ({
      dims,
      type: 'bfloat16',
      data: Uint16Array.from(new Uint32Array(Float32Array.from(data).buffer), (bits) => bits >> 16),
    });
    const wide = ({ dims, data }) => ({ dims, data: Float64Array.from(data, (n) => n + 1e-9) });
    for (const convert of [half, wide]) {
      const weights = Object.fromEntries(
        Object.entries(layerWeights(random)).map(([name, tensor]) => [name, convert(tensor)]),
      );
      await check(
        (Layer) => Layer.fromWeights(weights, sizes),
        [
          [convert(x), x],
          [x, convert(x)],
        ],
      );
      const state = Object.fromEntries(
        Object.entries(torchState(random)).map(([name, tensor]) => [name, convert(tensor)]),
      );
      await check(
        (Layer) => Layer.fromTorch(state, { heads: 6 }),
        [[convert(batched), null, asked]],
      );
    }
  });

  it('in many calls at once, of several layers', async () => {
    const all = [layerWeights(random), layerWeights(random, { biases: false })];
    const direct = all.map((weights) => MultiHeadAttention.fromWeights(weights, sizes));
    const inputs = range(0, 6).map(() => normalTensor(random, [350, layerWidth]));
    for (const pool of pools) {
      const layers = all.map((weights) => pool.MultiHeadAttention.fromWeights(weights, sizes));
      const got = await Promise.all(inputs.map((input, at) => layers[at % 2].forward(input)));
      got.forEach((result, at) => same(result, direct[at % 2].forward(inputs[at])));
      for (const layer of layers) layer.delete();
    }
  });

  it('and its errors, as rejections', async () => {
    const weights = layerWeights(random);
    const [pool] = pools;
    const made = [MultiHeadAttention, pool.MultiHeadAttention];
    for (const args of [
      [weights],
      [weights, { heads: 4 }],
      [{ ...weights, key: undefined }, sizes],
      [{ ...weights, keys: weights.key }, sizes],
      [{ ...weights, queryBias: weights.key }, sizes],
    ]) {
      const [want, got] = await Promise.all(
        made.map((Layer) => errorOf(async () => Layer.fromWeights(...args))),
      );
      assert.ok(want);
      assert.deepEqual([got.name, got.message], [want.name, want.message]);
    }
    for (const args of [
      [{ 'out_proj.weight': x }, { heads: 2 }],
      [{ ...torchState(random), bias_k: x }, { heads: 6 }],
    ]) {
      const [want, got] = await Promise.all(
        made.map((Layer) => errorOf(async () => Layer.fromTorch(...args))),
      );
      assert.ok(want);
      assert.deepEqual([got.name, got.message], [want.name, want.message]);
    }
    assert.throws(() => new pool.MultiHeadAttention(), {
      name: 'TypeError',
      message: 'a MultiHeadAttention is made by MultiHeadAttention.fromWeights() or .fromTorch()',
    });

    const [direct, layer] = made.map((Layer) => Layer.fromWeights(weights, sizes));
    for (const args of [
      [],
      [x.data],
      [normalTensor(random, [350, 5])],
      [x, batched],
      [x, 5],
      [x, null, { slopes: [1] }],
      [x, null, { causal: true, offset: [1, 2] }],
      [x, null, { weights: 'mean' }],
      [x, null, { headOutputs: 1 }],
      [x, null, { mask: booleanMask(random, [7, 350, 350]) }],
    ]) {
      await failAlike(
        () => layer.forward(...args),
        () => direct.forward(...args),
      );
    }
    // A cache belongs to one module.
    const cache = direct.createCache({ capacity: 4 });
    await assert.rejects(layer.forward(x, null, { cache }), {
      name: 'TypeError',
      message: /^forward\(\) has no option 'cache'; it has /,
    });
    await assert.rejects(layer.forward(x, cache), TypeError);
    for (const object of [cache, direct, layer]) object.delete();
  });
});

describe('the Transformer layers of the pool have the bits of the layers', async () => {
  const api = await loadAttention();
  const pools = await Promise.all(COUNTS.map((workers) => loadAttentionPool({ workers })));
  after(() => Promise.all(pools.map((pool) => pool.close())));

  /** calls: the arguments of forward(). */
  const check = async (state, options, calls) => {
    const direct = makeTransformer(api, state, options);
    const want = calls.map((args) => direct.forward(...args));
    for (const pool of pools) {
      const layer = makeTransformer(pool, state, options);
      for (const name of ['heads', 'keyDim', 'modelDim']) {
        assert.equal(layer[name], direct[name], name);
      }
      for (const [at, args] of calls.entries()) {
        same(await layer.forward(...args), want[at], `call ${at} with ${pool.workers} workers`);
      }
      layer.delete();
    }
    direct.delete();
  };

  const random = seeded('pooled transformer layers');
  const sequence = (...dims) => normalTensor(random, [...dims, transformerWidth]);
  const x = sequence(397);
  const batched = sequence(3, 150);
  const even = sequence(10, 61);
  const memory = sequence(83);
  const memories = sequence(3, 170);
  const shapes = [x, batched, even, sequence(2, 203), sequence(90), sequence(3), sequence(0)];
  const asked = { weights: true };
  const averaged = { weights: 'average' };

  const variants = [
    {},
    { normFirst: true, activation: 'gelu' },
    { normFirst: true, norm: 'rms', activation: 'gelu_tanh', epsilon: 0.125 },
    { norm: 'rms', biases: false },
  ];
  for (const { biases, ...options } of variants) {
    it(`of any shape: ${JSON.stringify({ biases, ...options })}`, async () => {
      const state = transformerState(random, { biases, norm: options.norm });
      await check(
        state,
        options,
        shapes.flatMap((one) => [[one], [one, asked], [one, { causal: true, ...averaged }]]),
      );
      const decoder = transformerState(random, { decoder: true, biases, norm: options.norm });
      const lengths = [1, 40, 500];
      const calls = shapes.flatMap((one) =>
        lengths.flatMap((length) => {
          const looked = sequence(...one.dims.slice(0, -2), length);
          return [
            [one, looked],
            [one, looked, { causal: true, ...asked }],
          ];
        }),
      );
      await check(decoder, { ...options, decoder: true }, calls);
    });
  }

  it('with a memory of another width, and an empty one', async () => {
    const state = transformerState(random, { decoder: true, memoryWidth: 40 });
    const other = (...dims) => normalTensor(random, [...dims, 40]);
    await check(state, { decoder: true }, [
      [x, other(83), asked],
      [batched, other(3, 9)],
      [x, other(0), asked],
    ]);
  });

  it('with every option', async () => {
    const kLen = 150;
    const masks = (qLen, width, heads = 6) => {
      const full = [3, heads, qLen, width];
      return range(0, 16).map((axes) => {
        const dims = full.map((size, axis) => ((axes >> axis) & 1 ? size : 1));
        const shown = Math.min(3, dims.findIndex((size) => size > 1) & 3);
        return axes % 2
          ? booleanMask(random, dims.slice(shown), 0.8)
          : additiveMask(random, dims.slice(shown), 0.2);
      });
    };
    const options = [
      { causal: true, offset: 10, ...asked },
      { causal: true, offset: [-20, 4, 0], ...averaged },
      { window: [10, 40], ...asked },
      { window: [null, 0], offset: [3, 4, 5], ...averaged },
      { ...perHead, ...asked },
      { ...perHead, causal: true, offset: -3 },
      { scale: 0.3, softcap: 1.5, ...asked },
      { keyLengths: [150, 31, 0], ...averaged },
      ...masks(kLen, kLen).map((mask) => ({ mask, ...asked })),
    ];
    await check(
      transformerState(random),
      {},
      options.map((more) => [batched, more]),
    );
    const cross = [
      ...options,
      { crossKeyLengths: [170, 0, 3], ...asked },
      ...masks(kLen, 170).map((crossMask) => ({ crossMask, ...asked })),
    ];
    await check(
      transformerState(random, { decoder: true }),
      { decoder: true, normFirst: true },
      cross.map((more) => [batched, memories, more]),
    );
    const mask = booleanMask(random, [6, 397, 397], 0.7);
    const crossMask = additiveMask(random, [397, 83], 0.3);
    await check(transformerState(random), {}, [[x, { mask, ...perHead, ...asked }]]);
    await check(transformerState(random, { decoder: true }), { decoder: true }, [
      [x, memory, { mask, crossMask, keyLengths: [300], crossKeyLengths: [50], ...asked }],
    ]);
  });

  it('for any call', async () => {
    const state = transformerState(random, { decoder: true });
    const layers = pools.map((pool) => makeTransformer(pool, state, { decoder: true }));
    const direct = makeTransformer(api, state, { decoder: true });
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          batch: fc.integer({ min: 0, max: 6 }),
          rows: fc.integer({ min: 1, max: 260 }),
          memoryRows: fc.integer({ min: 0, max: 260 }),
          causal: fc.boolean(),
          weights: fc.constantFrom(undefined, true, 'average'),
        }),
        async ({ batch, rows, memoryRows, ...options }) => {
          const lead = batch === 0 ? [] : [batch];
          const args = [sequence(...lead, rows), sequence(...lead, memoryRows), options];
          const want = direct.forward(...args);
          const got = await Promise.all(layers.map((layer) => layer.forward(...args)));
          got.forEach((results, at) => same(results, want, `${COUNTS[at]} workers`));
        },
      ),
      { seed: SEED, numRuns: 40 },
    );
    for (const layer of [direct, ...layers]) layer.delete();
  });

  it('of 16-bit numbers and float64, a Map and names below a prefix', async () => {
    const half = ({ dims, data }) => ({
      dims,
      type: 'bfloat16',
      data: Uint16Array.from(new Uint32Array(Float32Array.from(data).buffer), (bits) => bits >> 16),
    });
    const wide = ({ dims, data }) => ({ dims, data: Float64Array.from(data, (n) => n + 1e-9) });
    const prefix = 'layers.3.';
    for (const convert of [half, wide]) {
      for (const decoder of [false, true]) {
        const state = Object.entries(transformerState(random, { decoder, prefix }));
        const map = new Map(state.map(([name, tensor]) => [name, convert(tensor)]));
        const calls = decoder
          ? [
              [convert(x), convert(memory), asked],
              [batched, convert(memories), asked],
            ]
          : [[convert(x)], [convert(batched), asked]];
        await check(map, { decoder, prefix }, calls);
      }
    }
  });

  it('for any contents of masked rows', async () => {
    const state = transformerState(random, { decoder: true });
    const spoilt = filled(
      memories,
      range(0, 3).flatMap((entry) => range(100, 170).map((row) => [entry, row])),
      NaN,
    );
    const options = { crossKeyLengths: [100, 90, 0], weights: true };
    await check(state, { decoder: true }, [[batched, spoilt, options]]);
    const direct = makeTransformer(api, state, { decoder: true });
    const { output } = direct.forward(batched, spoilt, options);
    assert.ok(output.data.every((number) => !Number.isNaN(number)));
    direct.delete();
  });

  it('in many calls at once, of several layers', async () => {
    const states = [transformerState(random), transformerState(random, { biases: false })];
    const direct = states.map((state) => makeTransformer(api, state));
    const inputs = range(0, 6).map((at) => (at % 3 ? sequence(180) : sequence(2, 70)));
    for (const pool of pools) {
      const layers = states.map((state) => makeTransformer(pool, state));
      const got = await Promise.all(inputs.map((input, at) => layers[at % 2].forward(input)));
      got.forEach((result, at) => same(result, direct[at % 2].forward(inputs[at])));
      for (const layer of layers) layer.delete();
    }
    for (const layer of direct) layer.delete();
  });

  it('with the reference kernels', async () => {
    const options = { kernels: 'reference' };
    const pool = await loadAttentionPool({ ...options, workers: 2 });
    const state = transformerState(random);
    const layer = makeTransformer(pool, state);
    const direct = makeTransformer(await loadAttention(options), state);
    same(await layer.forward(x, asked), direct.forward(x, asked));
    layer.delete();
    await pool.close();
  });

  it('and their errors, as rejections', async () => {
    const [pool] = pools;
    for (const decoder of [false, true]) {
      const name = decoder ? 'TransformerDecoderLayer' : 'TransformerEncoderLayer';
      const state = transformerState(random, { decoder });
      for (const args of [
        [],
        [state],
        [state, { heads: 7 }],
        [state, { heads: 6, norms: 'rms' }],
        [state, { heads: 6, norm: 'rms' }],
        [{ ...state, 'norm9.weight': x }, { heads: 6 }],
        [{ ...state, 'norm1.weight': undefined }, { heads: 6 }],
      ]) {
        const [want, got] = await Promise.all(
          [api, pool].map((one) => errorOf(async () => one[name].fromTorch(...args))),
        );
        assert.ok(want);
        assert.deepEqual([got.name, got.message], [want.name, want.message]);
      }
      assert.throws(() => new pool[name](), {
        name: 'TypeError',
        message: `a ${name} is made by ${name}.fromTorch()`,
      });

      const [direct, layer] = [api, pool].map((one) => makeTransformer(one, state, { decoder }));
      const looked = decoder ? [memories] : [];
      const wrong = [
        [],
        [x.data, ...looked],
        [normalTensor(random, [3, 150, 5]), ...looked],
        [batched, ...looked, 5],
        [batched, ...looked, { slopes: [1] }],
        [batched, ...looked, { causal: true, offset: [1, 2] }],
        [batched, ...looked, { weights: 'mean' }],
        [batched, ...looked, { scores: 'raw' }],
        [batched, ...looked, { cache: 5 }],
        [batched, ...looked, { mask: booleanMask(random, [7, 150, 150]) }],
        ...(decoder
          ? [
              [batched],
              [batched, null],
              [batched, 7],
              [batched, {}],
              [batched, memory],
              [batched, sequence(2, 5)],
              [batched, memories, { crossKeyLengths: [1] }],
              [batched, memories, { crossKeyLengths: [1, 2, 171] }],
              [batched, memories, { crossMask: booleanMask(random, [150, 171]) }],
            ]
          : [[batched, { crossKeyLengths: [1, 1, 1] }]]),
      ];
      for (const args of wrong) {
        await failAlike(
          () => layer.forward(...args),
          () => direct.forward(...args),
        );
      }
      direct.delete();
      layer.delete();
    }
  });
});

describe('a Transformer layer and the workers', async () => {
  const api = await loadAttention();
  const random = seeded('transformer layer in workers');
  const sequence = (...dims) => normalTensor(random, [...dims, transformerWidth]);
  const state = transformerState(random);
  const decoderState = transformerState(random, { decoder: true });
  const x = sequence(300);
  const direct = makeTransformer(api, state);
  const directDecoder = makeTransformer(api, decoderState, { decoder: true });
  const want = direct.forward(x);

  it('computes small calls in the calling thread', async () => {
    const { pool, made } = await watchedPool();
    const layer = makeTransformer(pool, state);
    const decoder = makeTransformer(pool, decoderState, { decoder: true });
    const small = sequence(100);
    same(await layer.forward(small, { weights: true }), direct.forward(small, { weights: true }));
    same(await decoder.forward(small, small), directDecoder.forward(small, small));
    assert.equal(made.length, 0);
    await pool.close();
  });

  it('sends batch entries to each worker, or rows of all entries', async () => {
    for (const [dims, names] of [
      [[300], ['projectLayer', 'projectLayer', 'transformerLayer', 'transformerLayer']],
      [
        [2, 150],
        ['transformerLayer', 'transformerLayer'],
      ],
      [
        [4, 150],
        ['transformerLayer', 'transformerLayer'],
      ],
    ]) {
      const { pool, called } = await watchedPool();
      const layer = makeTransformer(pool, state);
      const input = sequence(...dims);
      same(await layer.forward(input), direct.forward(input));
      assert.deepEqual(called, names, `${dims}`);
      await pool.close();
    }
  });

  it('computes calls with a cache in the calling thread', async () => {
    const { pool, made } = await watchedPool();
    const layer = makeTransformer(pool, state);
    const decoder = makeTransformer(pool, decoderState, { decoder: true });
    const cache = layer.createCache({ capacity: 300 });
    const causal = direct.forward(x, { causal: true });
    same(await layer.forward(x, { causal: true, cache }), causal);
    assert.equal(cache.length, 300);
    const full = { name: 'RangeError', message: /^the cache holds 300 of 300 keys/ };
    await assert.rejects(layer.forward(sequence(1), { cache }), full);

    const memory = sequence(120);
    const seen = decoder.projectMemory(memory);
    const options = { weights: true, causal: true };
    same(await decoder.forward(x, seen, options), directDecoder.forward(x, memory, options));
    const own = decoder.createCache({ capacity: 300 });
    same(
      await decoder.forward(x, memory, { ...options, cache: own }),
      directDecoder.forward(x, memory, options),
    );
    const elsewhere = await loadAttention({ kernels: 'simd' });
    const stranger = new elsewhere.KeyValueCache({ keyDim: 16, kvHeads: 6, capacity: 4 });
    await failAlike(
      () => decoder.forward(x, stranger),
      () => directDecoder.forward(x, stranger),
    );
    await failAlike(
      () => layer.forward(x, { cache: stranger }),
      () => direct.forward(x, { cache: stranger }),
    );
    assert.equal(made.length, 0);
    // The workers have the same layer.
    same(await layer.forward(x), want);
    assert.equal(made.length, 2);
    for (const object of [cache, seen, own, layer, decoder]) object.delete();
    await pool.close();
  });

  it('reads and copies its arguments before it returns', async () => {
    const { pool } = await watchedPool();
    for (const lead of [[], [2]]) {
      const own = transformerState(seeded('copied'), { decoder: true });
      const reference = makeTransformer(api, own, { decoder: true });
      const layer = makeTransformer(pool, own, { decoder: true });
      for (const { data } of Object.values(own)) data.fill(0);
      // Twice: with starting and with running workers.
      for (let round = 0; round < 2; round++) {
        const args = [sequence(...lead, 200), sequence(...lead, 140)];
        const entries = lead[0] ?? 1;
        const options = {
          mask: booleanMask(random, [6, 200, 200], 0.9),
          crossMask: additiveMask(random, [200, 140], 0.1),
          slopes: [1, 0, 0, 1, 2, 1],
          offset: Array(entries).fill(2),
          keyLengths: Array(entries).fill(190),
          crossKeyLengths: Array(entries).fill(100),
          weights: true,
        };
        const expected = reference.forward(...args, options);
        const promise = layer.forward(...args, options);
        for (const { data, dims } of [...args, options.mask, options.crossMask]) {
          data.fill(1);
          dims[0] = -5;
          assert.ok(data.length > 0);
        }
        for (const name of ['slopes', 'offset', 'keyLengths', 'crossKeyLengths']) {
          options[name].fill(9);
        }
        same(await promise, expected, `${lead} round ${round}`);
      }
      layer.delete();
      reference.delete();
    }
    await pool.close();
  });

  it('is deleted in both threads, without effect on a running call', async () => {
    const { pool, count } = await watchedPool();
    const deleted = { name: 'DeletedError', message: 'this TransformerEncoderLayer was deleted' };
    for (let round = 0; round < 2; round++) {
      const layer = makeTransformer(pool, state);
      if (round === 1) same(await layer.forward(x), want);
      const promise = layer.forward(x);
      layer.delete();
      layer[Symbol.dispose ?? 'delete']();
      same(await promise, want, `round ${round}`);
      await assert.rejects(layer.forward(x), deleted);
      await assert.rejects(layer.forward(sequence(1)), deleted);
      assert.throws(() => layer.heads, deleted);
      assert.throws(() => layer.createCache({ capacity: 1 }), deleted);
    }
    await until(() => count('release') === 4, 'all is released');
    assert.equal(count('create'), 4, 'one layer in each worker');
    await pool.close();
    assert.equal(count('release'), 4);
  });

  it('is released after garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    const { pool, count } = await watchedPool();
    await (async () => {
      const layer = makeTransformer(pool, state);
      same(await layer.forward(x), want);
    })();
    await until(() => {
      gc();
      return count('release') === 2;
    }, 'the forgotten layer is released');
    await pool.close();
  });

  it('continues when a worker dies, and ends with the pool', async () => {
    const { pool, made } = await watchedPool();
    const layer = makeTransformer(pool, state);
    same(await layer.forward(x), want);
    const died = { name: 'Error', message: 'a worker of the pool died: it ended with exit code 1' };
    const pending = assert.rejects(layer.forward(x), died);
    await Promise.all([made[1].terminate(), pending]);
    same(await layer.forward(x), want);
    assert.equal(made.length, 3);
    const closed = { name: 'Error', message: 'the pool was closed' };
    const late = assert.rejects(layer.forward(x), closed);
    await pool.close();
    await late;
    await assert.rejects(layer.forward(x), closed);
    await assert.rejects(layer.forward(sequence(1)), closed);
    layer.delete();
  });
});

describe('deleting a pooled layer', async () => {
  const { MultiHeadAttention } = await loadAttention();
  const random = seeded('deleted');
  const weights = layerWeights(random);
  const sizes = { heads: 6, kvHeads: 3 };
  const x = normalTensor(random, [350, layerWidth]);
  const direct = MultiHeadAttention.fromWeights(weights, sizes);
  const want = direct.forward(x);
  const deleted = { name: 'DeletedError', message: 'this MultiHeadAttention was deleted' };

  it('ends it; deleting twice is harmless', async () => {
    const { pool } = await watchedPool();
    const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
    same(await layer.forward(x), want);
    layer.delete();
    layer.delete();
    await assert.rejects(layer.forward(x), deleted);
    await assert.rejects(layer.forward(normalTensor(random, [1, layerWidth])), deleted);
    for (const name of ['heads', 'kvHeads', 'keyDim', 'valueDim', 'modelDim']) {
      assert.throws(() => layer[name], deleted);
    }
    const other = pool.MultiHeadAttention.fromWeights(weights, sizes);
    await pool.close();
    other.delete();
    layer.delete();
  });

  it('frees its memory in the workers', async () => {
    const { pool, count } = await watchedPool({ workers: 3 });
    const layers = range(0, 4).map(() => pool.MultiHeadAttention.fromWeights(weights, sizes));
    for (const layer of layers) {
      same(await layer.forward(x), want);
      same(await layer.forward(x), want);
    }
    assert.equal(count('create'), 4 * 6, 'the projections and the output, in each worker once');
    assert.equal(count('release'), 0);
    for (const layer of layers) layer[Symbol.dispose ?? 'delete']();
    await until(() => count('release') === count('create'), 'all is released');
    await pool.close();
  });

  it('does not affect a running call, and leaves no memory in the workers', async () => {
    const { pool, count } = await watchedPool();
    for (let round = 0; round < 2; round++) {
      const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
      if (round === 1) await layer.forward(x);
      const promise = layer.forward(x);
      layer.delete();
      same(await promise, want, `round ${round}`);
    }
    await until(() => count('release') === count('create'), 'all is released');
    await pool.close();
  });

  it('happens after garbage collection', async () => {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc');
    const { pool, count } = await watchedPool();
    await (async () => {
      const layer = pool.MultiHeadAttention.fromWeights(weights, sizes);
      same(await layer.forward(x), want);
    })();
    await until(() => {
      gc();
      return count('release') === 4;
    }, 'the forgotten layer is released');
    assert.equal(count('create'), 4);
    await pool.close();
  });
});

/** A worker that runs code from a string. */

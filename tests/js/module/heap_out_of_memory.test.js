// Out of memory at any point: the engine grants no more, and the module is filled to the last bytes. Every call then gives
// the right bits or a clear error, also the sentence of a broken rule; nothing is left behind, and
// when there is memory again everything is as before.
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { wasmOfPages } from '../../support/js/limited_memory.js';
import { loadWithMemory } from '../../support/js/module_memory.js';

const numbers = (count) => Float32Array.from({ length: count }, (_, at) => Math.sin(at));
const tensor = (...dims) => ({ data: numbers(dims.reduce((a, b) => a * b, 1)), dims });
const x = tensor(40, 8);
const square = tensor(8, 8);
const layerOf = ({ MultiHeadAttention }) =>
  MultiHeadAttention.fromWeights(
    { query: square, key: square, value: square, output: square },
    { heads: 2 },
  );

/** Tested calls: each creates its objects, returns results and frees everything. */
const calls = {
  attention: ({ attention }) => attention(x, x, x, { causal: true, weights: true }),
  'a large attention': ({ attention }) => {
    const long = tensor(300, 64);
    return attention(long, long, long);
  },
  scores: ({ scores }) => scores(x, x),
  linearAttention: ({ linearAttention }) => linearAttention(x, x, x, { featureMap: 'elu' }),
  'a similarity of one’s own': ({ kernelAttention }) =>
    kernelAttention(x, x, x, { similarity: (q, k) => 1 + Math.abs(q[0] * k[0]) }),
  'many lists': ({ attention }) =>
    attention(tensor(40, 1, 8), tensor(40, 1, 8), tensor(40, 1, 8), {
      keyLengths: Array(40).fill(1),
      offset: Array(40).fill(0),
    }),
  'a layer': (api) => {
    const layer = layerOf(api);
    try {
      return layer.forward(x, undefined, { weights: true });
    } finally {
      layer.delete();
    }
  },
  'a cache': ({ KeyValueCache }) => {
    const cache = new KeyValueCache({ keyDim: 8, capacity: 50 });
    try {
      cache.append(x, x);
      return cache.attend(x);
    } finally {
      cache.delete();
    }
  },
};

const broken = {
  'a rule about dims': ({ attention }) => attention(x, tensor(40, 9), x),
  'a rule with a long sentence': ({ attention }) =>
    attention(x, tensor(41, 8), tensor(41, 8), { causal: true }),
};

const noMemory = {
  name: 'OutOfMemoryError',
  message: /^out of memory: could not allocate \d+ MiB/,
};

const maxPages = 64; // of 64 KiB

/** Allocates layers of decreasing size until even the smallest fails. */
function fill({ Linear }) {
  const fillers = [];
  for (let size = 2 ** 18; size >= 4; size /= 2) {
    try {
      for (;;)
        fillers.push(
          Linear.fromWeights({ weight: { data: new Float32Array(size), dims: [1, size] } }),
        );
    } catch (error) {
      assert.match(error.message, noMemory.message);
    }
  }
  return fillers;
}

describe('a module whose memory is full', () => {
  const outcomes = { right: 0, refused: 0 };
  let api;
  let expected;

  before(async () => {
    api = await loadAttention({ kernels: 'simd', wasm: wasmOfPages(maxPages) });
    expected = new Map(Object.entries(calls).map(([name, call]) => [name, call(api)]));
    for (const call of Object.values(broken)) assert.throws(() => call(api), RangeError);
  });

  const tryEverything = () => {
    for (const [name, call] of Object.entries(calls)) {
      let results;
      try {
        results = call(api);
      } catch (error) {
        assert.equal(error.name, noMemory.name, `${name}: ${error.message}`);
        assert.match(error.message, noMemory.message, name);
        outcomes.refused++;
        continue;
      }
      outcomes.right++;
      assert.deepStrictEqual(results, expected.get(name), name);
    }
    for (const [name, call] of Object.entries(broken)) {
      assert.throws(
        () => call(api),
        { name: 'RangeError', message: /^(key has dims|causal|out of memory)/ },
        name,
      );
    }
  };

  it('gives right results or clear errors while memory is freed step by step', () => {
    const fillers = fill(api);
    for (const filler of fillers.reverse()) {
      tryEverything();
      filler.delete();
    }
    assert.ok(outcomes.refused > 20 && outcomes.right > 20, JSON.stringify(outcomes));
  });

  it('works as before once memory is free again', () => {
    for (const [name, call] of Object.entries(calls)) {
      assert.deepStrictEqual(call(api), expected.get(name), name);
    }
  });
});

describe('the last 32 kB of a full heap', () => {
  /** Allocates 8 · n bytes and a header. */
  const reserve = ({ Linear }, n) => Linear.reserve({ inDim: n, outDim: 1, type: 'int8' });

  /** Fills the heap. */
  function fillWith(api, sizes) {
    for (const n of sizes) {
      assert.throws(() => {
        for (;;) reserve(api, n);
      }, noMemory);
    }
  }

  const messages = {
    'a rule about dims': /^key has dims 40×9 but query has 40×8: /,
    'a rule with a long sentence': /^causal .{60,}/,
  };

  it('are enough for the sentence of every error, however much of it is free', async () => {
    const { api, bytes } = await loadWithMemory({ wasm: wasmOfPages(20) });
    const fails = (name) => {
      assert.throws(() => broken[name](api), { name: 'RangeError', message: messages[name] });
    };
    Object.keys(messages).forEach(fails);
    const lowest = Buffer.from(bytes().subarray(0, 256));
    const last = reserve(api, 2 ** 12);
    fillWith(api, [2 ** 15, 2 ** 10, 2 ** 5, 1]);
    last.delete();
    let refused = 0;
    for (let n = 2 ** 12 + 32; n > 0; n--) {
      let filler;
      try {
        filler = reserve(api, n); // leaves 16 bytes more than the one before
      } catch (error) {
        assert.match(error.message, noMemory.message);
        refused++;
        continue;
      }
      Object.keys(messages).forEach(fails);
      filler.delete();
    }
    assert.ok(refused < 100, `${refused} refused`);
    // Address 0 is where the result of a failed allocation would have been written.
    assert.deepEqual(bytes().subarray(0, 256), lowest);
  });
});

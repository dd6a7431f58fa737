// Strange arguments: any value anywhere, getters that change earlier arguments, arrays whose memory shrinks, is detached or
// shared between threads, inconsistent classes, proxies, functions that call the library. The outcome is a result, a
// TypeError or RangeError with a message, or the error that the caller's own code threw; and the next valid call has the
// right bits.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { loadAttention } from 'attention-wasm';

import { runCount } from '../support/js/run_count.js';

const runs = runCount(4000);
const api = await loadAttention({ kernels: 'simd' });

const numbers = (count) => Float32Array.from({ length: count }, (_, at) => Math.sin(at));
const tensor = (...dims) => ({ data: numbers(dims.reduce((a, b) => a * b, 1)), dims });
const x = tensor(6, 8);
const square = tensor(8, 8);

/** Thrown by the caller's own code: it must propagate unchanged. */
class OwnError extends Error {}
const throwsOwn = () => {
  throw new OwnError('the caller’s own');
};

class Lying extends Float32Array {
  get length() {
    return 1e9;
  }
  get byteLength() {
    return 4e9;
  }
  static get [Symbol.species]() {
    return Array;
  }
}

function detached() {
  const data = numbers(48);
  structuredClone(data.buffer, { transfer: [data.buffer] });
  return data;
}

const resizable = () => {
  const data = new Float32Array(new ArrayBuffer(192, { maxByteLength: 4096 }));
  data.set(numbers(48));
  return data;
};
const shared = () => new Float32Array(new SharedArrayBuffer(192));

/** Values by name, created for each call; `call` is the current call. */
const strange = {
  null: () => null,
  undefined: () => undefined,
  NaN: () => NaN,
  infinity: () => Infinity,
  '-1': () => -1,
  '-0': () => -0,
  half: () => 0.5,
  'two to 31': () => 2 ** 31,
  'two to 32': () => 2 ** 32,
  'two to 53': () => 2 ** 53,
  large: () => 1e300,
  text: () => 'weights',
  'empty text': () => '',
  bigint: () => 5n,
  symbol: () => Symbol('s'),
  true: () => true,
  list: () => [1, 2, 3],
  'list of NaN': () => [NaN, -1, 1e300],
  'list with holes': () => Object.assign(new Array(3), { 2: 3 }),
  'long list': () => new Array(1000).fill(3),
  function: () => () => 1,
  'function that throws': () => throwsOwn,
  'function that calls back in': () => () => api.attention(x, x, x).output.data[0],
  'function that returns text': () => () => 'a',
  date: () => new Date(),
  regexp: () => /x/,
  map: () => new Map(),
  proxy: () => new Proxy({}, {}),
  'proxy that throws': () => new Proxy({}, { get: throwsOwn, ownKeys: throwsOwn, has: throwsOwn }),
  'proxy of a tensor': () => new Proxy(x, {}),
  'proxy of an array': () => ({ data: new Proxy(x.data, {}), dims: x.dims }),
  'empty object': () => ({}),
  promise: () => Promise.resolve(x),
  'another tensor': () => tensor(3, 8),
  'a tensor of rank 5': () => tensor(1, 1, 1, 6, 8),
  'a tensor of no dims': () => ({ data: numbers(1), dims: [] }),
  'a tensor of NaN': () => ({ data: new Float32Array(48).fill(NaN), dims: [6, 8] }),
  'a lying class': () => ({ data: new Lying(48), dims: [6, 8] }),
  'a lying class, short': () => ({ data: new Lying(3), dims: [6, 8] }),
  bytes: () => ({ data: new Uint8Array(48), dims: [6, 8] }),
  'int8 without scales': () => ({ data: new Int8Array(48), dims: [6, 8] }),
  'int8 with strange scales': () => ({
    data: new Int8Array(48),
    dims: [6, 8],
    scales: new Lying(6),
  }),
  'a big array': () => ({ data: new BigInt64Array(48), dims: [6, 8] }),
  'a data view': () => ({ data: new DataView(new ArrayBuffer(192)), dims: [6, 8] }),
  'a detached array': () => ({ data: detached(), dims: [6, 8] }),
  'a resizable array': () => ({ data: resizable(), dims: [6, 8] }),
  'an array that shrinks': () => {
    const data = resizable();
    return {
      data,
      get dims() {
        data.buffer.resize(4);
        return [6, 8];
      },
    };
  },
  'an array that grows': () => {
    const data = resizable();
    return {
      data,
      get dims() {
        data.buffer.resize(4096);
        return [6, 8];
      },
    };
  },
  'an array that goes away': () => {
    const data = numbers(48);
    return {
      data,
      get dims() {
        structuredClone(data.buffer, { transfer: [data.buffer] });
        return [6, 8];
      },
    };
  },
  'a shared array': () => ({ data: shared(), dims: [6, 8] }),
  'dims that call back in': () => ({
    data: numbers(48),
    get dims() {
      api.attention(x, x, x, { weights: true });
      return [6, 8];
    },
  }),
  'dims that throw': () => ({
    data: numbers(48),
    get dims() {
      return throwsOwn();
    },
  }),
  'dims that change': () => {
    let times = 0;
    return {
      data: numbers(48),
      get dims() {
        return times++ === 0 ? [6, 8] : [60, 80];
      },
    };
  },
  'dims of getters': () => ({
    data: numbers(48),
    dims: Object.defineProperty([6, 8], 0, { get: () => (Math.random() < 0.5 ? 6 : 2 ** 31) }),
  }),
  'huge dims': () => ({ data: numbers(48), dims: [2 ** 32 + 6, 8] }),
  'fractional dims': () => ({ data: numbers(48), dims: [6.5, 8] }),
  'negative dims': () => ({ data: numbers(48), dims: [-6, -8] }),
  'dims as text': () => ({ data: numbers(48), dims: ['6', '8'] }),
};

const options = [
  'heads',
  'kvHeads',
  'scale',
  'softcap',
  'causal',
  'offset',
  'window',
  'mask',
  'keyLengths',
  'slopes',
  'sinks',
  'weights',
  'scores',
  'logSumExp',
  'similarity',
  'bandwidth',
  'degree',
  'featureMap',
  'state',
  'epsilon',
  'cache',
  'width',
  'base',
  'positions',
  'interleaved',
  'headOutputs',
  'unheardOf',
];

/** Tested functions: number of tensors, and a call with them and options. */
const targets = {
  attention: [3, (t, o) => api.attention(...t, o)],
  scores: [2, (t, o) => api.scores(...t, o)],
  softmax: [1, (t, o) => api.softmax(...t, o)],
  weightedSum: [2, (t, o) => api.weightedSum(...t, o)],
  kernelAttention: [3, (t, o) => api.kernelAttention(...t, { similarity: 'gaussian', ...o })],
  linearAttention: [3, (t, o) => api.linearAttention(...t, { featureMap: 'elu', ...o })],
  rotaryEmbedding: [1, (t, o) => api.rotaryEmbedding(...t, o)],
  layerNorm: [1, (t, o) => api.layerNorm(...t, o)],
  embed: [2, (t) => api.embed(...t)],
  Linear: [
    2,
    ([weight, given]) => {
      const layer = api.Linear.fromWeights({ weight });
      try {
        return layer.forward(given);
      } finally {
        layer.delete();
      }
    },
  ],
  MultiHeadAttention: [
    3,
    ([query, key, given], o) => {
      const layer = api.MultiHeadAttention.fromWeights(
        { query, key, value: square, output: square },
        { heads: 2 },
      );
      try {
        return layer.forward(given, undefined, o);
      } finally {
        layer.delete();
      }
    },
  ],
  KeyValueCache: [
    3,
    ([key, value, query], o) => {
      const cache = new api.KeyValueCache({ keyDim: 8, capacity: 9 });
      try {
        cache.append(key, value);
        return cache.attend(query, o);
      } finally {
        cache.delete();
      }
    },
  ],
};

const names = Object.keys(strange);
const arbitrary = fc.record({
  target: fc.constantFrom(...Object.keys(targets)),
  tensors: fc.array(fc.option(fc.constantFrom(...names), { freq: 2 }), {
    minLength: 3,
    maxLength: 3,
  }),
  options: fc.dictionary(fc.constantFrom(...options), fc.constantFrom(...names), { maxKeys: 3 }),
  shape: fc.constantFrom('plain', 'getters', 'no options'),
});

/** The options of a call: plain, or with getters that call the library. */
function optionsOf({ options: chosen, shape }) {
  if (shape === 'no options') return undefined;
  const made = {};
  for (const [name, kind] of Object.entries(chosen)) {
    const value = strange[kind]();
    if (shape === 'plain') made[name] = value;
    else {
      Object.defineProperty(made, name, {
        enumerable: true,
        get: () => {
          api.softmax(square);
          return value;
        },
      });
    }
  }
  return made;
}

describe('strange arguments', () => {
  it(`give results or clear errors, and hurt no later call, ${runs} times`, () => {
    const control = api.attention(x, x, x, { causal: true, weights: true });
    const outcomes = { results: 0, refused: 0, own: 0 };
    fc.assert(
      fc.property(arbitrary, (one) => {
        const [count, call] = targets[one.target];
        const given = one.tensors
          .slice(0, count)
          .map((kind) =>
            kind === null ? (count === 3 || one.target !== 'Linear' ? x : square) : strange[kind](),
          );
        try {
          call(given, optionsOf(one));
          outcomes.results++;
        } catch (error) {
          if (error instanceof OwnError) outcomes.own++;
          else {
            outcomes.refused++;
            assert.ok(
              error instanceof TypeError || error instanceof RangeError,
              `${error?.name}: ${error?.message}`,
            );
            assert.match(error.message, /^\S.{6,}/s);
            // Messages of the engine do not name the wrong argument.
            assert.doesNotMatch(
              error.message,
              /out of bounds|unreachable|divide by zero|undefined \(reading|is not iterable|is not a function|Invalid typed array|Maximum call stack|detached ArrayBuffer/,
            );
          }
        }
        assert.deepStrictEqual(api.attention(x, x, x, { causal: true, weights: true }), control);
      }),
      { numRuns: runs, seed: 11 },
    );
    for (const [what, times] of Object.entries(outcomes))
      assert.ok(times > runs / 100, `${what}: ${times}`);
  });
});

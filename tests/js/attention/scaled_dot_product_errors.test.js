// Refusals: their class, their sentence, and that nothing else happens. Then the arguments that lie.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadAttention as loadCore } from 'attention-wasm/core';
import { refusalsOf } from '../../support/js/refusals.js';

const api = await loadAttention();
const { attention, scores, softmax, weightedSum } = api;

const tensor = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => Math.sin(at)),
  dims,
});
const self = (dims, options) =>
  attention(tensor(...dims), tensor(...dims), tensor(...dims), options);

const refuses = refusalsOf(api);

describe('kinds of things', () => {
  const eye = tensor(2, 2);
  for (const [what, argument, message] of [
    ['nothing', undefined, 'query must be a tensor { data, dims }, found undefined'],
    ['null', null, 'query must be a tensor { data, dims }, found null'],
    [
      'bare numbers',
      new Float32Array(4),
      'query must be a tensor { data, dims }, found a Float32Array',
    ],
    [
      'arrays of numbers',
      [[1, 0], Float32Array.of(0, 1)],
      'query must be a tensor { data, dims }, found an array; tensor() makes one of it',
    ],
    ['options', { causal: true }, 'query must be a tensor { data, dims }, found an object'],
    ['a promise', Promise.resolve(eye), 'query must be a tensor { data, dims }, found a Promise'],
    [
      'integers',
      { data: new Int32Array(4), dims: [2, 2] },
      /^query\.data must be a Float32Array, /,
    ],
    ['an array', { data: [1, 2, 3, 4], dims: [2, 2] }, /^query\.data must be .*, found an array$/],
    [
      'no dims',
      { data: new Float32Array(4) },
      /^query\.dims must be an array of numbers, found undefined$/,
    ],
    [
      'dims of text',
      { data: new Float32Array(4), dims: ['2', 2] },
      "query.dims[0] must be a number, found '2'",
    ],
  ]) {
    it(`${what} as a query`, () =>
      refuses(() => attention(argument, eye, eye), TypeError, message));
  }
  it('in key, value, scores and weights, by their names', () => {
    refuses(() => attention(eye, 1, eye), TypeError, /^key must be a tensor/);
    refuses(() => attention(eye, eye, 'v'), TypeError, /^value must be a tensor .* found 'v'$/);
    refuses(() => softmax(), TypeError, /^scores must be a tensor/);
    refuses(() => weightedSum({}, eye), TypeError, /^weights must be a tensor .* found an object$/);
  });

  for (const [options, message] of [
    [{ heads: '2' }, "heads must be a number, found '2'"],
    [{ causal: 1 }, 'causal must be true or false, found 1'],
    [{ scale: 2n }, 'scale must be a number, found 2n'],
    [{ offset: true }, 'offset must be a number or an array of numbers, found true'],
    [{ window: 3 }, 'window must be [left, right], found 3'],
    [{ window: [1] }, 'window must be [left, right], found an array of 1'],
    [{ window: Float32Array.of(1, 0) }, 'window must be [left, right], found a Float32Array'],
    [{ window: ['1', 1] }, "window[0] must be a number, found '1'"],
    [{ keyLengths: 2 }, 'keyLengths must be an array of numbers, found 2'],
    [{ keyLengths: new BigInt64Array(1) }, /^keyLengths must be an array of numbers/],
    [{ slopes: [undefined] }, 'slopes[0] must be a number, found undefined'],
    [{ mask: new Uint8Array(4) }, 'mask must be a tensor { data, dims }, found a Uint8Array'],
    [
      { mask: { data: new Float64Array(4), dims: [2, 2] } },
      /^mask\.data must be a Uint8Array, BigInt64Array, BigUint64Array or Float32Array/,
    ],
    [{ weights: 1 }, /^weights must be true, false or 'average', found 1$/],
  ]) {
    it(`option ${Object.keys(options)[0]}: ${String(message)}`, () => {
      refuses(() => self([2, 2], options), TypeError, message);
    });
  }

  it('unknown options, with the accepted names', () => {
    refuses(
      () => self([2, 2], { casual: true }),
      TypeError,
      /no option 'casual'; it has heads, .*logSumExp$/,
    );
    for (const step of [scores, softmax, weightedSum]) {
      refuses(
        () => step(tensor(2, 2), step === softmax ? { top: 1 } : tensor(2, 2), { top: 1 }),
        TypeError,
        /no option 'top'/,
      );
    }
    refuses(
      () => self([2, 2], []),
      TypeError,
      /options of attention\(\) must be an object, found an array/,
    );
    refuses(() => self([2, 2], null), TypeError, /found null/);
  });
});

describe('shapes and values', () => {
  for (const [what, call, message] of [
    [
      'last axes',
      () => attention(tensor(2, 4, 32), tensor(2, 6, 24), tensor(2, 6, 24), { heads: 2 }),
      'key has dims 2×6×24 but query has 2×4×32: the last axes must both be heads × d_k = 2 × 16 = 32',
    ],
    ['one dimension', () => self([4]), /^query has 1 dimension \(4\) but must have from 2 to 4$/],
    ['five dimensions', () => self([1, 1, 1, 1, 4]), /^query has 5 dimensions/],
    [
      'ranks',
      () => attention(tensor(1, 2, 2), tensor(2, 2), tensor(2, 2)),
      /^key has dims 2×2 but query has 1×2×2: both/,
    ],
    [
      'batch',
      () => attention(tensor(1, 2, 2), tensor(2, 2, 2), tensor(2, 2, 2)),
      /^key has .*must both be batch$/,
    ],
    [
      'as many values as keys',
      () => attention(tensor(2, 2), tensor(3, 2), tensor(4, 2)),
      /as many values as keys, k_len = 3$/,
    ],
    [
      'kv heads of a value',
      () => attention(tensor(1, 2, 2, 2), tensor(1, 2, 2, 2), tensor(1, 1, 2, 2)),
      /^value has .*must both be kvHeads$/,
    ],
    [
      'heads at 4 dims',
      () => self([1, 2, 3, 4], { heads: 3 }),
      /^heads is 3 but query has dims 1×2×3×4/,
    ],
    [
      'kvHeads at 4 dims',
      () => self([1, 2, 3, 4], { kvHeads: 1 }),
      /^kvHeads is 1 but key has dims 1×2×3×4/,
    ],
    ['shared heads', () => self([2, 12], { heads: 6, kvHeads: 4 }), /^heads is 6 but kvHeads is 4/],
    [
      'heads 0',
      () => self([2, 2], { heads: 0 }),
      /^heads is 0 but must be a whole number of at least 1$/,
    ],
    [
      'heads 2³³ + 2',
      () => self([2, 2], { heads: 2 ** 33 + 2 }),
      /^query has dims 2×2 but heads is 8589934594/,
    ],
    ['heads NaN', () => self([2, 2], { heads: NaN }), /^heads is NaN/],
    ['d_k 0', () => self([2, 0]), /^query has dims 2×0: d_k must be at least 1$/],
    [
      'a negative dim',
      () => attention({ data: new Float32Array(0), dims: [-1, 2] }, tensor(1, 2), tensor(1, 2)),
      /^query\.dims\[0\] is -1/,
    ],
    [
      'a broken dim',
      () => attention({ data: new Float32Array(3), dims: [1.5, 2] }, tensor(1, 2), tensor(1, 2)),
      /^query\.dims\[0\] is 1\.5/,
    ],
    [
      'too few numbers',
      () => attention({ data: new Float32Array(3), dims: [2, 2] }, tensor(1, 2), tensor(1, 2)),
      'query has dims 2×2 = 4 numbers but its data holds 3',
    ],
    [
      'scale NaN',
      () => self([2, 2], { scale: NaN }),
      'scale is NaN but must be a finite float32 number',
    ],
    ['scale 1e39', () => self([2, 2], { scale: 1e39 }), /^scale is /],
    ['softcap 0', () => self([2, 2], { softcap: 0 }), /^softcap is 0/],
    ['softcap -1', () => self([2, 2], { softcap: -1 }), /^softcap is -1/],
    ['an offset between keys', () => self([2, 2], { offset: 0.5 }), /^offset is 0\.5/],
    [
      'offsets',
      () => self([2, 2, 2], { offset: [1] }),
      'offset holds 1 number but must hold one per batch entry, 2',
    ],
    [
      'an infinite offset',
      () => self([1, 2, 2], { offset: [Infinity] }),
      /^offset\[0\] is Infinity/,
    ],
    [
      'causal without offset',
      () => attention(tensor(3, 2), tensor(5, 2), tensor(5, 2), { causal: true }),
      /^causal needs an offset.*offset 0 .* first keys, offset 2 with the last$/,
    ],
    [
      'window without offset',
      () => attention(tensor(3, 2), tensor(5, 2), tensor(5, 2), { window: [1, 1] }),
      /^window needs an offset/,
    ],
    [
      'slopes without offset',
      () => attention(tensor(3, 2), tensor(5, 2), tensor(5, 2), { slopes: [1] }),
      /^slopes needs? an offset/,
    ],
    ['window -1', () => self([2, 2], { window: [-1, 0] }), /^window holds -1 on the left/],
    [
      'key length beyond',
      () => self([1, 2, 2], { keyLengths: [3] }),
      /^keyLengths\[0\] is 3 but must be from 0 to k_len = 2$/,
    ],
    ['key length -1', () => self([1, 2, 2], { keyLengths: [-1] }), /^keyLengths\[0\] is -1/],
    [
      'key lengths',
      () => self([1, 2, 2], { keyLengths: [1, 1] }),
      'keyLengths holds 2 numbers but must hold one per batch entry, 1',
    ],
    [
      'slopes per head',
      () => self([2, 4], { heads: 2, slopes: [1] }),
      'slopes holds 1 number but must hold one per head, 2',
    ],
    ['slope NaN', () => self([2, 2], { slopes: [NaN] }), /^slopes\[0\] is NaN/],
    ['sink Infinity', () => self([2, 2], { sinks: [Infinity] }), /^sinks\[0\] is Infinity/],
    [
      'mask',
      () => self([2, 2], { mask: { data: new Uint8Array(3), dims: [1, 3] } }),
      /^mask has dims 1×3 but must broadcast.* = 1×1×2×2$/,
    ],
    ['an unknown stage', () => self([2, 2], { scores: 'logits' }), /^scores must be 'raw'/],
    ['an unknown kind of weights', () => self([2, 2], { weights: 'mean' }), /^weights must be/],
    [
      'weights and value',
      () => weightedSum(tensor(1, 1, 2, 2), tensor(2, 2)),
      /^value has dims 2×2 but weights have 1×1×2×2/,
    ],
  ]) {
    it(what, () => refuses(call, RangeError, message));
  }

  it('sizes beyond 4 GiB, without allocating', () => {
    const long = tensor(70000, 1);
    refuses(
      () => attention(long, long, long, { weights: true }),
      RangeError,
      /needs .* GiB .* WebAssembly can address 4 GiB/,
    );
    const dims = [2 ** 20, 2 ** 20];
    refuses(
      () => attention({ data: new Float32Array(0), dims }, tensor(1, 1), tensor(1, 1)),
      RangeError,
      /1048576×1048576 = 1099511627776 numbers but its data holds 0/,
    );
    const empty = { data: new Float32Array(0), dims: [2 ** 40, 0] };
    refuses(() => attention(empty, empty, empty), RangeError, /^query\.dims\[0\] is/);
  });

  it('leaves the instance as good as before', () => {
    const { output } = self([2, 2]);
    refuses(() => self([2, 2], { softcap: -1 }), RangeError, /softcap/);
    assert.deepEqual(self([2, 2]).output, output);
  });
});

describe('arguments that lie or change', () => {
  it('polluted prototypes change nothing', () => {
    const honest = self([3, 4]).output;
    Object.assign(Object.prototype, { scale: 1e9, causal: true, casual: 1, weights: true });
    try {
      const result = self([3, 4], {});
      assert.deepEqual(Object.keys(result), ['output']);
      assert.deepEqual(result.output, honest);
      assert.deepEqual(self([3, 4], Object.create({ scale: 7 })).output, honest);
    } finally {
      for (const name of ['scale', 'causal', 'casual', 'weights']) delete Object.prototype[name];
    }
  });

  it('options are read once', () => {
    let reads = 0;
    const options = {
      get scale() {
        return ++reads;
      },
    };
    assert.deepEqual(self([3, 4], options).output, self([3, 4], { scale: 1 }).output);
    assert.equal(reads, 1);
  });

  it('subclasses cannot lie about their length or kind', () => {
    class Liar extends Float32Array {
      get length() {
        return 1e9;
      }
      get [Symbol.toStringTag]() {
        return 'Int8Array';
      }
    }
    const numbers = tensor(3, 4).data;
    const lying = { data: new Liar(numbers.buffer), dims: [3, 4] };
    assert.deepEqual(attention(lying, lying, lying).output, self([3, 4]).output);
    const posing = { data: { length: 12, [Symbol.toStringTag]: 'Float32Array' }, dims: [3, 4] };
    refuses(() => attention(posing, posing, posing), TypeError, /^query\.data must be/);
  });

  it('detached buffers are named', () => {
    const gone = tensor(2, 2);
    structuredClone(gone.data.buffer, { transfer: [gone.data.buffer] });
    refuses(
      () => attention(tensor(2, 2), gone, tensor(2, 2)),
      TypeError,
      'key.data belongs to an ArrayBuffer that was detached',
    );
    // Detached by a getter, after it was looked at.
    const query = tensor(2, 2);
    const options = {
      get scale() {
        structuredClone(query.data.buffer, { transfer: [query.data.buffer] });
        return 1;
      },
    };
    refuses(
      () => attention(query, tensor(2, 2), tensor(2, 2), options),
      TypeError,
      /^query\.data belongs/,
    );
  });

  it('shared and resizable buffers are copied as they are at the call', () => {
    const plain = tensor(3, 4);
    const shared = { data: new Float32Array(new SharedArrayBuffer(48)), dims: [3, 4] };
    shared.data.set(plain.data);
    assert.deepEqual(attention(shared, shared, shared).output, self([3, 4]).output);

    const buffer = new ArrayBuffer(48, { maxByteLength: 96 });
    const tracking = { data: new Float32Array(buffer), dims: [3, 4] };
    tracking.data.set(plain.data);
    assert.deepEqual(attention(tracking, tracking, tracking).output, self([3, 4]).output);
    buffer.resize(16);
    refuses(
      () => attention(tracking, tracking, tracking),
      RangeError,
      /12 numbers but its data holds 4$/,
    );
  });

  it('views into larger buffers, Float64 and results stay what they are', () => {
    const plain = tensor(3, 4);
    const inside = new Float32Array(20);
    inside.set(plain.data, 5);
    const view = { data: inside.subarray(5, 17), dims: [3, 4] };
    const first = attention(view, view, view).output;
    assert.deepEqual(first, self([3, 4]).output);
    const double = { data: Float64Array.from(plain.data), dims: [3, 4] };
    assert.deepEqual(attention(double, double, double).output, first);
    const copy = first.data.slice();
    self([64, 64]);
    assert.deepEqual(first.data, copy, 'a result is no view of the memory');
    assert.equal(first.data.byteLength, first.data.buffer.byteLength);
  });
});

describe('loadAttention()', () => {
  it('shares one instance among calls without options', async () => {
    const [a, b] = await Promise.all([loadAttention(), loadAttention({})]);
    assert.equal(a, b);
    assert.equal(a, api);
    assert.notEqual(await loadAttention({ kernels: 'simd' }), api);
  });

  it('refuses what it cannot use', async () => {
    await assert.rejects(loadAttention({ kernel: 'simd' }), {
      name: 'TypeError',
      message: /no option 'kernel'; it has wasm, kernels/,
    });
    await assert.rejects(loadAttention({ kernels: 'avx' }), {
      name: 'RangeError',
      message: "kernels must be 'simd' or 'reference', found 'avx'",
    });
    await assert.rejects(loadAttention({ wasm: 7 }), {
      name: 'TypeError',
      message: /^wasm must be bytes/,
    });
    await assert.rejects(loadAttention({ wasm: new Uint8Array([1, 2, 3]) }), {
      name: 'CompileError',
    });
    await assert.rejects(loadCore(), { name: 'TypeError', message: /needs \{ wasm \}/ });
    await assert.rejects(loadAttention({ wasm: new Response('', { status: 404 }) }), /status 404/);
  });

  it('refuses a module that is another one, and goes on', async () => {
    const header = [0, 97, 115, 109, 1, 0, 0, 0];
    const importing = [2, 7, 1, 1, 97, 1, 98, 0, 0, 1, 4, 1, 96, 0, 0];
    // Nothing in it; a memory and no more; a function that nobody gives it.
    for (const sections of [
      [],
      [5, 3, 1, 0, 1],
      [...importing.slice(9), ...importing.slice(0, 9)],
    ]) {
      const wasm = Uint8Array.from([...header, ...sections]);
      assert.ok(WebAssembly.validate(wasm), `${sections}`);
      await assert.rejects(loadAttention({ wasm }), {
        name: 'Error',
        message: /^wasm is not attention\.wasm of this version of attention-wasm: ./,
      });
    }
    assert.equal((await loadAttention({ kernels: 'simd' })).kernels, 'simd');
  });

  it('takes a Response, a promise of one, bytes and a compiled module', async () => {
    const { readFile } = await import('node:fs/promises');
    const bytes = await readFile(new URL(import.meta.resolve('attention-wasm/attention.wasm')));
    const typed = { headers: { 'content-type': 'application/wasm' } };
    const expected = self([3, 4]).output;
    for (const wasm of [
      bytes,
      bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length),
      new Response(bytes, typed),
      Promise.resolve(new Response(bytes)),
      await WebAssembly.compile(bytes),
    ]) {
      const { attention } = await loadCore({ wasm });
      assert.deepEqual(attention(tensor(3, 4), tensor(3, 4), tensor(3, 4)).output, expected);
    }
  });

  it('can be tried again after a rejection, and says what is missing without SIMD', async () => {
    const { loadAttention: load } = await import(`${import.meta.resolve('attention-wasm')}?again`);
    const { validate } = WebAssembly;
    WebAssembly.validate = () => false;
    try {
      await assert.rejects(load(), /needs WebAssembly SIMD/);
    } finally {
      WebAssembly.validate = validate;
    }
    assert.equal((await load()).kernels, 'simd');
  });
});

// Failed calls have no effect; inconsistent or changing arguments; arguments of loadAttention().
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadAttention as loadCore } from 'attention-wasm/core';
import { refusalsOf } from '../../support/js/refusals.js';

const api = await loadAttention();
const { attention } = api;

const tensor = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => Math.sin(at)),
  dims,
});
const self = (dims, options) =>
  attention(tensor(...dims), tensor(...dims), tensor(...dims), options);

const refuses = refusalsOf(api);

describe('attention()', () => {
  it('sizes beyond 4 GiB, without allocating', () => {
    const long = tensor(70000, 1);
    refuses(() => attention(long, long, long, { weights: true }), RangeError, /GiB/);
    const dims = [2 ** 20, 2 ** 20];
    refuses(
      () => attention({ data: new Float32Array(0), dims }, tensor(1, 1), tensor(1, 1)),
      RangeError,
      /^query has/,
    );
    const empty = { data: new Float32Array(0), dims: [2 ** 40, 0] };
    refuses(() => attention(empty, empty, empty), RangeError, /^query\.dims/);
  });

  it('leaves the instance unchanged', () => {
    const { output } = self([2, 2]);
    refuses(() => self([2, 2], { softcap: -1 }), RangeError, /softcap/);
    assert.deepEqual(self([2, 2]).output, output);
  });
});

describe('inconsistent or changing arguments', () => {
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

  it('subclasses cannot fake their length or kind', () => {
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
    // Detached by a getter after its first check.
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

  it('views of larger buffers, Float64Arrays and results stay unchanged', () => {
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

  it('refuses invalid arguments', async () => {
    await assert.rejects(loadAttention({ kernel: 'simd' }), {
      name: 'TypeError',
      message: /no option 'kernel'; it has wasm, kernels/,
    });
    await assert.rejects(loadAttention({ kernels: 'avx' }), {
      name: 'RangeError',
      message:
        "kernels must be 'simd', 'reference' or fused of 'attention-wasm/fused', found 'avx'",
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

  it('refuses another program’s module, and can be called again', async () => {
    const header = [0, 97, 115, 109, 1, 0, 0, 0];
    const importing = [2, 7, 1, 1, 97, 1, 98, 0, 0, 1, 4, 1, 96, 0, 0];
    // An empty module; one with a memory only; one with an unknown import.
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

  it('accepts a Response, a promise of one, bytes and a compiled module', async () => {
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

  it('can be called again after a rejection, and names SIMD if the engine lacks it', async () => {
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

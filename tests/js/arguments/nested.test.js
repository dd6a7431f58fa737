// tensor() and toNested(): nested arrays in and out, and results in the constructors of other libraries.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as core from 'attention-wasm/core';
import { loadAttention, tensor, toNested } from 'attention-wasm';
import fc from 'fast-check';

// Checks of the constructors of onnxruntime-common and transformers.js on (type, data, dims): the class
// of the numbers by type name, integer dims in a plain array, and the number of elements.
class OtherTensor {
  #data;
  constructor(type, data, dims) {
    assert.equal(data.constructor, { float32: Float32Array, bool: Uint8Array }[type]);
    assert.equal(Object.getPrototypeOf(dims), Array.prototype);
    assert.ok(dims.every((dim) => Number.isSafeInteger(dim) && dim >= 0));
    assert.equal(
      dims.reduce((a, b) => a * b, 1),
      data.length,
    );
    assert.equal(data.length * data.BYTES_PER_ELEMENT, data.buffer.byteLength);
    Object.assign(this, { type, dims, size: data.length });
    this.#data = data;
  }

  get data() {
    return this.#data;
  }

  get location() {
    return 'cpu';
  }
}

/** Nested arrays of a shape, independent of the library; numbers are taken from the front of the list. */
const shaped = fc
  .array(fc.integer({ min: 1, max: 4 }), { minLength: 1, maxLength: 4 })
  .chain((dims) =>
    fc.tuple(
      fc.constant(dims),
      fc.array(fc.float({ noDefaultInfinity: true }), {
        minLength: dims.reduce((a, b) => a * b),
        maxLength: dims.reduce((a, b) => a * b),
      }),
    ),
  )
  .map(([dims, numbers]) => {
    let nested = numbers;
    for (const width of dims.slice(1).reverse()) {
      nested = Array.from({ length: nested.length / width }, (_, row) =>
        nested.slice(row * width, (row + 1) * width),
      );
    }
    return { dims, numbers, nested };
  });

describe('what is found', () => {
  it('is quoted with at most forty characters in a message', () => {
    const letters = (count) => 'x'.repeat(count);
    for (const [text, told] of [
      [letters(40), letters(40)],
      [letters(41), `${letters(40)}…`],
    ]) {
      const message = `nested must be an array, found '${told}'`;
      assert.throws(() => tensor(text), { name: 'TypeError', message });
    }
  });
});

describe('tensor()', () => {
  it('is row-major, and toNested() its inverse', () => {
    fc.assert(
      fc.property(shaped, ({ dims, numbers, nested }) => {
        const made = tensor(nested);
        assert.deepEqual(made, { data: Float32Array.from(numbers), dims });
        assert.deepEqual(toNested(made), nested);
      }),
    );
  });

  it('accepts typed arrays, and empty arrays', () => {
    const rows = [Float64Array.of(0.5, 2), Int8Array.of(-1, 3)];
    assert.deepEqual(tensor(rows), { data: Float32Array.of(0.5, 2, -1, 3), dims: [2, 2] });
    assert.deepEqual(tensor([]), { data: new Float32Array(0), dims: [0] });
    assert.deepEqual(tensor([[], []]), { data: new Float32Array(0), dims: [2, 0] });
    assert.deepEqual(toNested(tensor([[], []])), [[], []]);
  });

  it('makes a mask of true and false', async () => {
    const mask = tensor([
      [true, false],
      [true, true],
    ]);
    assert.deepEqual(mask, { data: Uint8Array.of(1, 0, 1, 1), dims: [2, 2] });
    const { attention } = await loadAttention();
    const x = tensor([
      [1, 0],
      [0, 1],
    ]);
    const [first, second] = toNested(attention(x, x, x, { mask, weights: true }).weights);
    assert.deepEqual(first, [1, 0]);
    assert.ok(second[0] > 0 && second[1] > second[0]);
  });

  it('names the position of an element that is not a number', () => {
    const refused = [
      [1, TypeError, 'nested must be an array, found 1'],
      [undefined, TypeError, 'nested must be an array, found undefined'],
      ['ab', TypeError, "nested must be an array, found 'ab'"],
      [true, TypeError, 'nested must be an array, found true'],
      [[['1']], TypeError, "nested[0][0] must be a number, found '1'"],
      [[1, [2]], TypeError, 'nested[1] must be a number, found an array'],
      [[[1], 2], TypeError, 'nested[1] must be an array, found 2'],
      [[1, true], TypeError, 'nested[1] must be a number, found true'],
      [[true, 1], TypeError, 'nested[1] must be a boolean, found 1'],
      [[1, , 2], TypeError, 'nested[1] must be a number, found undefined'], // eslint-disable-line no-sparse-arrays
      [
        [[1, 2], [3]],
        RangeError,
        'nested[1] has length 1 but the first array so deep has length 2',
      ],
      [[[[[[1]]]]], RangeError, 'nested has arrays more than 4 deep'],
    ];
    for (const [nested, { name }, message] of refused) {
      assert.throws(() => tensor(nested), { name, message });
    }
    const cyclic = [];
    cyclic.push(cyclic);
    assert.throws(() => tensor(cyclic), RangeError);
  });
});

describe('toNested()', () => {
  it('accepts results, other precisions, masks and tensors of other libraries', () => {
    const dims = [1, 2];
    for (const data of [Float64Array.of(0.5, -2), Float32Array.of(0.5, -2)]) {
      assert.deepEqual(toNested({ data, dims }), [[0.5, -2]]);
    }
    assert.deepEqual(toNested({ data: Uint8Array.of(1, 0), dims }), [[1, 0]]);
    const other = new OtherTensor('float32', Float32Array.of(1, 2), dims);
    assert.deepEqual(toNested(other), [[1, 2]]);
    assert.equal(toNested({ data: Float32Array.of(7), dims: [] }), 7);
  });

  it('accepts a Float16Array, if the engine has one', () => {
    const { Float16Array } = globalThis;
    if (Float16Array === undefined) return;
    const data = Float16Array.of(0.1, 65504);
    assert.deepEqual(toNested({ data, dims: [2] }), [0.0999755859375, 65504]);
    assert.deepEqual(tensor([data]).data, Float32Array.of(0.0999755859375, 65504));
  });

  it('refuses what it cannot read, and dims that do not fit', () => {
    const data = Float32Array.of(1, 2);
    const refused = [
      [[[1]], TypeError, 'tensor must be a tensor { data, dims }, found an array; tensor() makes one of it'],
      [{ data: Uint16Array.of(1), dims: [1], type: 'float16' }, TypeError, 'tensor.data must be a Float32Array, Float64Array, Float16Array or Uint8Array, found a Uint16Array'],
      [{ data, dims: [3] }, RangeError, 'tensor has dims 3 = 3 numbers but its data holds 2'],
      [{ data, dims: [-1, -2] }, RangeError, 'tensor has dims -1×-2 = 2 numbers but its data holds 2'],
      [{ data, dims: [] }, RangeError, 'tensor has dims (none) = 1 numbers but its data holds 2'],
    ]; // prettier-ignore
    for (const [given, { name }, message] of refused) {
      assert.throws(() => toNested(given), { name, message });
    }
  });
});

describe('tensors of other libraries', () => {
  it('are accepted unchanged, and their constructors accept results', async () => {
    const { attention, softmax } = await loadAttention();
    const made = tensor([
      [1, 0],
      [0, 1],
    ]);
    const other = new OtherTensor('float32', made.data, made.dims);
    const { output, weights } = attention(other, other, made, { weights: true });
    assert.deepEqual(toNested(output), toNested(weights));
    for (const result of [output, weights, softmax(other), made]) {
      const theirs = new OtherTensor('float32', result.data, result.dims);
      assert.equal(theirs.size, 4);
      assert.deepEqual(toNested(theirs), toNested(result));
    }
    const mask = tensor([[true, false]]);
    new OtherTensor('bool', mask.data, mask.dims);
  });

  it('have the same functions in the entry without wasm', () => {
    const { tensor: tensorOfCore, toNested: toNestedOfCore } = core;
    assert.deepEqual(toNestedOfCore(tensorOfCore([[1, 2]])), [[1, 2]]);
  });
});

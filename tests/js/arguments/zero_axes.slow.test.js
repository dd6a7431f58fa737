// Axes of size 0 in every tensor of every call, in every number type: the result is that of float32, or an error, and
// nothing else in the module's memory changes. Other axes are long, so that out-of-bounds scales would be noticed.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { explainBitDifference } from '../../support/js/compare.js';
import { asBfloat16, asFloat16, asInt8 } from '../../support/js/narrowed.js';
import { normalTensor, seeded, sizeOf } from '../../support/js/random_tensors.js';
import { tensorCalls } from '../../support/js/tensor_calls.js';

const random = seeded('zero axes');
const api = await loadAttention();
const ones = (...dims) => ({ data: new Float32Array(sizeOf(dims)).fill(1), dims });

const types = {
  float64: ({ data, dims }) => ({ data: Float64Array.from(data), dims }),
  float16: asFloat16,
  bfloat16: asBfloat16,
  int8(tensor) {
    const { data, dims, scales } = asInt8(tensor);
    return { data, dims, scales: data.length === 0 ? scales.fill(666) : scales };
  },
};
if (globalThis.Float16Array) {
  types.Float16Array = ({ data, dims }) => ({ data: globalThis.Float16Array.from(data), dims });
}

const calls = tensorCalls(api, 50_000);

/** The dims of tensors with one axis set to 0, in all tensors or in one. */
function* zeroed(shapes) {
  for (const size of new Set(shapes.flat())) {
    yield shapes.map((dims) => dims.map((dim) => (dim === size ? 0 : dim)));
  }
  for (const [which, dims] of shapes.entries()) {
    for (const axis of dims.keys()) {
      yield shapes.map((whole, at) => (at === which ? dims.with(axis, 0) : whole));
    }
  }
}

/** The results of a call, or the kind of its error. */
function outcome(call, tensors) {
  try {
    return { results: call(...tensors) };
  } catch (error) {
    assert.ok(error instanceof RangeError || error instanceof TypeError, error.stack);
    return { refused: error.name };
  }
}

/** Objects after the memory of small calls, and a check that they are unchanged. */
function bystanders() {
  const x = normalTensor(random, [3, 64]);
  const layers = Array.from({ length: 20 }, () =>
    api.Linear.fromWeights({ weight: normalTensor(random, [64, 64]) }),
  );
  const cache = new api.KeyValueCache({ keyDim: 64, capacity: 256 });
  cache.append(x, x);
  const answers = () => [...layers.map((layer) => layer.forward(x)), cache.attend(x).output];
  const before = answers();
  return () => {
    for (const [at, answer] of answers().entries()) {
      assert.equal(explainBitDifference(answer, before[at]), '', `object ${at}`);
    }
  };
}

describe('axes of 0', () => {
  api.softmax(ones(1, 2)); // allocates the block of small calls before the other objects
  const areWhole = bystanders();

  for (const [name, [call, ...shapes]] of Object.entries(calls)) {
    it(`of ${name}`, () => {
      let computed = 0;
      for (const dims of zeroed(shapes)) {
        const tensors = dims.map((sizes) => ones(...sizes));
        const expected = outcome(call, tensors);
        for (const [type, narrow] of Object.entries(types)) {
          for (const which of tensors.keys()) {
            const where = `${type}, tensor ${which} of ${dims.map((sizes) => sizes.join('×'))}`;
            const one = tensors.map((tensor, at) => (at === which ? narrow(tensor) : tensor));
            const got = outcome(call, one);
            assert.equal(got.refused, expected.refused, where);
            assert.deepEqual(got.results, expected.results, where);
          }
        }
        areWhole();
        if (expected.refused === undefined) computed++;
      }
      const cannotBeEmpty = /from(Weights|Torch)|fill/.test(name);
      assert.equal(computed > 0, !cannotBeEmpty);
    });
  }
});

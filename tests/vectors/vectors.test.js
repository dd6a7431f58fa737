// The test vectors through the package's main entry point: every case, both kernel implementations, every path. And the
// layout of the files.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { vectorProblems } from '../support/js/vector_calls.js';
import { readVectors } from '../support/js/vectors.js';

const fixture = (name) => readFileSync(new URL(`./${name}`, import.meta.url));
const json = JSON.parse(fixture('vectors.json'));
const bytes = fixture('vectors.bin');
const cases = readVectors(json, bytes);
const ran = { simd: 0, reference: 0 };

for (const kernels of Object.keys(ran)) {
  describe(`vectors, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });
    for (const vector of cases) {
      it(vector.name, () => {
        const tensors = Object.values({ ...vector.inputs, ...vector.weights });
        const before = tensors.map(({ data }) => data.slice());
        const wrong = [...vectorProblems(api, vector)];
        assert.deepEqual(wrong, [], `${vector.comment} (${vector.toleranceReason})`);
        const now = tensors.map(({ data }) => data);
        assert.deepEqual(now, before, 'inputs stay as they were');
        ran[kernels]++;
      });
    }
  });
}

after(() => {
  for (const [kernels, count] of Object.entries(ran)) {
    assert.equal(count, cases.length, `${kernels} kernels: ${count} of ${cases.length} cases`);
  }
});

describe('vector files', () => {
  it('hold as many cases of each function as it needs, with names of their own', () => {
    const counts = {};
    for (const one of cases) counts[one.function] = (counts[one.function] ?? 0) + 1;
    assert.equal(Object.keys(counts).length, 7);
    for (const [name, count] of Object.entries(counts)) assert.ok(count >= 20, `${count} ${name}`);
    assert.ok(counts.attention >= 150, `${counts.attention} attention`);
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
    for (const { name } of cases) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('explain every flag and use every flag explained', () => {
    const used = new Set(cases.flatMap(({ flags }) => flags));
    assert.deepEqual([...used].sort(), Object.keys(json.flags));
    for (const { name, flags } of cases) assert.deepEqual(flags, [...flags].sort(), name);
  });

  it('have tensors one after the other, 8-byte aligned, and nothing else', () => {
    let end = 0;
    for (const { inputs, weights, expected } of json.cases) {
      for (const tensor of [inputs, weights ?? {}, expected].flatMap(Object.values)) {
        assert.equal(tensor.offset, end);
        const width = { uint8: 1, float32: 4, float64: 8 }[tensor.type];
        const used = end + width * tensor.dims.reduce((a, b) => a * b, 1);
        end = Math.ceil(used / 8) * 8;
        assert.ok(bytes.subarray(used, end).every((byte) => byte === 0));
      }
    }
    assert.equal(end, bytes.length);
  });

  it('give a tolerance, and its reason, for everything expected', () => {
    for (const { name, expected, tolerance, toleranceReason } of cases) {
      const names = Object.keys(expected);
      assert.deepEqual(Object.keys(tolerance), names, name);
      for (const limit of Object.values(tolerance)) assert.ok(limit >= 0, name);
      const reasons = toleranceReason.split('; ');
      if (reasons.length > names.length) assert.match(reasons.pop(), /^biases left out: /);
      assert.deepEqual(
        reasons.map((reason) => reason.replace(/ (naive|formula|print)$/, '')),
        names,
        name,
      );
    }
  });
});

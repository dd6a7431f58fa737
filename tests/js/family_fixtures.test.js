// The test vectors of the family through the package's own entrance: every case, both kernels, with and without
// weights. And the files themselves: their layout, and that they can be made again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { generateFamily } from '../fixtures/generate_family.js';
import { explainBitDifference, explainDifference } from '../support/js/compare.js';
import { expectsExactZeros, familyPaths } from '../support/js/family_calls.js';
import { readFamilyVectors } from '../support/js/family_vectors.js';

const fixture = (name) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const json = JSON.parse(fixture('family.json'));
const bytes = fixture('family.bin');
const cases = readFamilyVectors(json, bytes);
const ran = { simd: 0, reference: 0 };

for (const kernels of Object.keys(ran)) {
  describe(`vectors of the family, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });
    for (const vector of cases) {
      it(vector.name, () => {
        const tensors = Object.values({ ...vector.inputs, ...vector.weights });
        const before = tensors.map(({ data }) => data.slice());
        const wrong = [...problemsOf(api, vector)];
        assert.deepEqual(wrong, [], `${vector.comment} (${vector.toleranceReason})`);
        const now = tensors.map(({ data }) => data);
        assert.deepEqual(now, before, 'inputs stay as they were');
        ran[kernels]++;
      });
    }
  });
}

function* problemsOf(api, vector) {
  const met = new Set();
  let plain;
  for (const { path, results } of familyPaths(api, vector)) {
    plain ??= results;
    const unasked = Object.keys(results).filter((name) => !askedFor(path, vector).includes(name));
    if (unasked.length > 0) yield `${path}: ${unasked} unasked`;
    for (const [name, want] of Object.entries(vector.expected)) {
      if (!results[name]) continue;
      met.add(name);
      const exactZeros = expectsExactZeros(vector, name);
      const difference = explainDifference(results[name], want, vector.tolerance[name], {
        exactZeros,
      });
      if (difference) yield `${path}: ${name}: ${difference}`;
    }
    for (const name of Object.keys(plain)) {
      const difference = explainBitDifference(results[name], plain[name]);
      if (difference) yield `${path}: ${name} beside the plain path: ${difference}`;
    }
  }
  for (const name of Object.keys(vector.expected))
    if (!met.has(name)) yield `${name} was not given`;
}

// The names that a path may give.
function askedFor(path, { function: called, options }) {
  const state = options.state ? ['S', 'z'] : [];
  if (path === 'plain') return ['output', ...state];
  const cross = called === 'transformerDecoderLayer';
  if (path === 'weights averaged') {
    return ['output', 'averageWeights', ...(cross ? ['averageCrossWeights'] : []), ...state];
  }
  const projections = ['headOutputs', 'query', 'key', 'value'];
  if (path === 'heads') return ['output', ...projections];
  const kept = ['output', 'weights', ...(cross ? ['crossWeights'] : []), ...state];
  if (path === 'weights kept') return kept;
  return [
    ...kept,
    ...projections,
    'logSumExp',
    path.includes('raw') ? 'rawScores' : 'biasedScores',
  ];
}

after(() => {
  for (const [kernels, count] of Object.entries(ran)) {
    assert.equal(count, cases.length, `${kernels} kernels: ${count} of ${cases.length} cases`);
  }
});

describe('vector files of the family', () => {
  it('are what the generator writes', () => {
    const made = generateFamily();
    assert.equal(made.json, fixture('family.json').toString(), 'family.json');
    assert.ok(Buffer.from(made.bytes).equals(bytes), 'family.bin');
  });

  it('hold at least 20 cases of each function, with names of their own', () => {
    const counts = {};
    for (const one of cases) counts[one.function] = (counts[one.function] ?? 0) + 1;
    assert.equal(Object.keys(counts).length, 6);
    for (const [name, count] of Object.entries(counts)) assert.ok(count >= 20, `${count} ${name}`);
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
    for (const { name } of cases) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('explain every flag and use every flag explained', () => {
    const used = new Set(cases.flatMap(({ flags }) => flags));
    assert.deepEqual([...used].sort(), Object.keys(json.flags).sort());
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
      assert.deepEqual(Object.keys(tolerance), Object.keys(expected), name);
      assert.ok(
        Object.values(tolerance).every((limit) => limit >= 0),
        name,
      );
      const reasons = toleranceReason.split('; ').map((reason) => reason.split(' ')[0]);
      assert.deepEqual(reasons, Object.keys(expected), name);
    }
  });
});

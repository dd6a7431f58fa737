// The test vectors through the package's own entrance: every case, both kernels, every path to the
// same numbers. And the vector files themselves: their layout, and that they can be made again.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, describe, it } from 'node:test';

import { loadAttention } from 'attention-wasm';

import { generate } from '../fixtures/generate.js';
import { explainBitDifference, explainDifference } from '../support/js/compare.js';
import { readVectors } from '../support/js/vectors.js';

const fixture = (name) => readFileSync(new URL(`../fixtures/${name}`, import.meta.url));
const json = JSON.parse(fixture('attention.json'));
const bytes = fixture('attention.bin');
const cases = readVectors(json, bytes);
const ran = { simd: 0, reference: 0 };

for (const kernels of Object.keys(ran)) {
  describe(`vectors, ${kernels} kernels`, async () => {
    const api = await loadAttention({ kernels });
    for (const vector of cases) {
      it(vector.name, () => {
        const before = [vector.query, vector.key, vector.value].map(({ data }) => data.slice());
        const wrong = [...streamed(api, vector), ...kept(api, vector), ...stepped(api, vector)];
        assert.deepEqual(wrong, [], `${vector.comment} (${vector.toleranceReason})`);
        const now = [vector.query, vector.key, vector.value].map(({ data }) => data);
        assert.deepEqual(now, before, 'inputs stay as they were');
        ran[kernels]++;
      });
    }
  });
}

// Weights not asked for.
function* streamed({ attention }, vector) {
  const { query, key, value, options } = vector;
  const plain = attention(query, key, value, options);
  yield* agree(vector, 'output', plain.output, 'streamed output');
  const asked = Object.keys(plain);
  if (asked.length !== 1) yield `attention() returned ${asked} unasked`;
  const more = attention(query, key, value, { ...options, logSumExp: true });
  yield* agree(vector, 'logSumExp', more.logSumExp, 'streamed logSumExp');
  yield* sameBits(more.output, plain.output, 'output beside logSumExp');
}

// Weights and scores asked for: no bit of the output changes.
function* kept({ attention, softmax }, vector) {
  const { query, key, value, options } = vector;
  const plain = attention(query, key, value, options);
  for (const stage of ['raw', 'capped', 'biased']) {
    const request = { ...options, weights: true, scores: stage, logSumExp: true };
    const all = attention(query, key, value, request);
    yield* agree(vector, 'weights', all.weights, 'weights');
    yield* agree(vector, 'logSumExp', all.logSumExp, 'kept logSumExp');
    yield* agree(vector, `${stage}Scores`, all.scores, `${stage} scores`);
    yield* sameBits(all.output, plain.output, `output beside weights and ${stage} scores`);
    if (stage === 'biased') {
      const weights = softmax(all.scores, options);
      yield* sameBits(weights, all.weights, 'softmax(scores) against weights');
    }
  }
  const average = attention(query, key, value, { ...options, weights: 'average' });
  yield* agree(vector, 'averageWeights', average.weights, 'average weights');
  yield* sameBits(average.output, plain.output, 'output beside average weights');
}

// The three steps, given one options object.
function* stepped({ scores, softmax, weightedSum }, vector) {
  const { query, key, value } = vector;
  const options = { ...vector.options, weights: true, logSumExp: true };
  for (const stage of ['raw', 'capped', 'biased']) {
    const staged = scores(query, key, { ...options, scores: stage });
    yield* agree(vector, `${stage}Scores`, staged, `scores() ${stage}`);
  }
  const weights = softmax(scores(query, key, options), options);
  yield* agree(vector, 'weights', weights, 'softmax(scores())');
  const output = weightedSum(weights, value, options);
  yield* agree(vector, 'output', output, 'weightedSum(softmax(scores()))');
}

// What the case says about one result, if it says anything.
function* agree(vector, what, got, label) {
  const want = vector.expected[what];
  if (!want) return;
  const tolerances = vector.tolerance;
  const tolerance = { averageWeights: tolerances.weights }[what] ?? tolerances[what];
  const exactZeros = !what.endsWith('Scores') && what !== 'logSumExp';
  const difference = explainDifference(got, want, tolerance ?? tolerances.scores, {
    exactZeros: exactZeros && !vector.flags.includes('Published'),
  });
  if (difference) yield `${label}: ${difference}`;
}

function* sameBits(got, want, label) {
  const difference = explainBitDifference(got, want);
  if (difference) yield `${label}: ${difference}`;
}

after(() => {
  for (const [kernels, count] of Object.entries(ran)) {
    assert.equal(
      count,
      cases.length,
      `${kernels} kernels passed ${count} of ${cases.length} cases`,
    );
  }
});

describe('vector files', () => {
  it('are what the generator writes', () => {
    const made = generate();
    assert.equal(made.json, fixture('attention.json').toString(), 'attention.json');
    assert.ok(Buffer.from(made.bytes).equals(bytes), 'attention.bin');
  });

  it('hold at least 150 cases with names of their own', () => {
    assert.ok(cases.length >= 150, `${cases.length} cases`);
    assert.equal(new Set(cases.map(({ name }) => name)).size, cases.length);
    for (const { name } of cases) assert.match(name, /^[a-z0-9]+(-[a-z0-9]+)*$/);
  });

  it('explain every flag and use every flag explained', () => {
    const used = new Set(cases.flatMap(({ flags }) => flags));
    assert.deepEqual([...used].sort(), Object.keys(json.flags).sort());
  });

  it('have tensors one after the other, 8-byte aligned, and nothing else', () => {
    let end = 0;
    for (const { query, key, value, mask, expected } of json.cases) {
      for (const tensor of [query, key, value, mask, ...Object.values(expected)]) {
        if (!tensor) continue;
        assert.equal(tensor.offset, end);
        const width = { uint8: 1, float32: 4, float64: 8 }[tensor.type];
        const used = end + width * tensor.dims.reduce((a, b) => a * b, 1);
        end = Math.ceil(used / 8) * 8;
        assert.ok(bytes.subarray(used, end).every((byte) => byte === 0));
      }
    }
    assert.equal(end, bytes.length);
  });

  it('give a tolerance for everything expected', () => {
    for (const { name, expected, tolerance } of cases) {
      for (const what of Object.keys(expected)) {
        const kind = what.endsWith('Scores') ? 'scores' : what.replace('averageWeights', 'weights');
        assert.ok(tolerance[kind] >= 0, `${name}: ${what}`);
      }
    }
  });
});

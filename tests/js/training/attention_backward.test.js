// attentionBackward() in every layout, against a published vector and central differences of attention().
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadTraining } from 'attention-wasm/training';
import { normalTensor, seeded } from '../../support/js/random_tensors.js';
import { refusalsOf } from '../../support/js/refusals.js';

const { attention } = await loadAttention();
const { attentionBackward, memoryBytes } = await loadTraining();
const assertRefuses = refusalsOf({ memoryBytes });

const filled = (dims, of) => ({
  data: Float32Array.from({ length: dims.reduce((a, b) => a * b, 1) }, (_, at) => of(at + 1)),
  dims,
});

/** The loss Σ output · gradient, in double precision as far as the output allows. */
function lossOf({ query, key, value, gradient }, options) {
  const { output } = attention(query, key, value, options);
  return output.data.reduce((sum, number, at) => sum + number * gradient.data[at], 0);
}

function backward({ query, key, value, gradient }, { gradients, ...options }) {
  const forward = attention(query, key, value, { ...options, logSumExp: true });
  return attentionBackward(query, key, value, forward, gradient, { ...options, gradients });
}

function assertNear(actual, expected, tolerance) {
  assert.equal(actual.length, expected.length);
  expected.forEach((number, at) => {
    assert.ok(Math.abs(actual[at] - number) <= tolerance, `[${at}] ${actual[at]} is not ${number}`);
  });
}

describe('attentionBackward', () => {
  it('gives the published vector', () => {
    const tensors = {
      query: filled([1, 2, 3, 2], (i) => Math.sin(i)),
      key: filled([1, 1, 4, 2], (i) => Math.cos(i)),
      value: filled([1, 1, 4, 3], (i) => Math.sin(2 * i)),
      gradient: filled([1, 2, 3, 3], (i) => Math.cos(i)),
    };
    const mask = filled([3, 4], (i) => 0.1 * Math.cos(3 * i));
    const options = { causal: true, offset: 1, softcap: 2, mask };
    options.slopes = [0.5, 0.25];
    options.sinks = [-0.3, 0.2];
    const result = backward(tensors, { ...options, gradients: ['mask', 'slopes', 'sinks'] });
    const key = [0.023554, -0.0068145, 0.0425991, 0.0348703, 0.0170494, 0.0149917, -0.0113309];
    assertNear(result.key.data, [...key, 0.0116904], 1e-6);
    assertNear(result.query.data.subarray(0, 3), [-0.0321413, -0.0944209, 0.0529634], 1e-6);
    assertNear(result.value.data.subarray(0, 3), [-0.0145494, -0.0905011, -0.0832465], 1e-6);
    assertNear(result.mask.data.subarray(4, 8), [0.0093669, -0.0187942, 0.0157481, 0], 1e-6);
    assertNear(result.slopes.data, [-0.2152897, 0.2251861], 1e-6);
    assertNear(result.sinks.data, [-0.2956206, 0.2605769], 1e-6);
    assert.deepEqual(result.mask.dims, [3, 4]);
    assert.deepEqual(result.key.dims, [1, 1, 4, 2]);
  });

  const random = seeded('attention backward');
  const layouts = {
    4: [[2, 4, 5, 3], [2, 2, 7, 3], [2, 2, 7, 6], [2, 4, 5, 6], {}],
    3: [[2, 5, 12], [2, 7, 6], [2, 7, 12], [2, 5, 24], { heads: 4, kvHeads: 2 }],
    2: [[5, 12], [7, 6], [7, 12], [5, 24], { heads: 4, kvHeads: 2 }],
    'two without heads': [[5, 3], [7, 3], [7, 6], [5, 6], {}],
  };
  for (const [rank, [query, key, value, output, heads]] of Object.entries(layouts)) {
    it(`is the slope of the loss at rank ${rank}`, () => {
      const tensors = {
        query: normalTensor(random, query),
        key: normalTensor(random, key),
        value: normalTensor(random, value),
        gradient: normalTensor(random, output),
      };
      const options = { ...heads, causal: true, offset: 2, softcap: 3 };
      const gradients = backward(tensors, options);
      for (const name of ['query', 'key', 'value']) {
        const { data } = tensors[name];
        assert.deepEqual(gradients[name].dims, tensors[name].dims);
        for (let at = 0; at < data.length; at += 5) {
          const before = data[at];
          const step = 2 ** -6;
          data[at] = before + step;
          const above = lossOf(tensors, options);
          data[at] = before - step;
          const below = lossOf(tensors, options);
          data[at] = before;
          const slope = (above - below) / (2 * step);
          assert.ok(Math.abs(gradients[name].data[at] - slope) < 2e-3, `${name}[${at}]`);
        }
      }
    });
  }

  it('refuses inconsistent arguments', () => {
    const x = filled([4, 6], Math.sin);
    const forward = attention(x, x, x, { logSumExp: true });
    const call = (changed, gradient = x, options = {}) =>
      attentionBackward(x, x, x, { ...forward, ...changed }, gradient, options);
    assertRefuses(() => call({ logSumExp: undefined }), TypeError, /'logSumExp'/);
    assertRefuses(() => call({ output: filled([4, 5], Math.sin) }), RangeError, /^output/);
    assertRefuses(() => call({ logSumExp: filled([3], Math.sin) }), RangeError, /^logSumExp/);
    assertRefuses(() => call({}, filled([3, 6], Math.sin)), RangeError, /^gradient/);
    const mask = { data: new Uint8Array(16).fill(1), dims: [4, 4] };
    assertRefuses(() => call({}, x, { mask, gradients: ['mask'] }), RangeError, /'mask'/);
    assertRefuses(() => call({}, x, { gradients: ['sinks'] }), RangeError, /'sinks'/);
    assertRefuses(() => call({}, x, { gradients: ['slopes'] }), RangeError, /'slopes'/);
    assertRefuses(() => call({}, x, { gradients: ['bias'] }), RangeError, /^gradients\[0\]/);
    assertRefuses(() => call({}, x, { gradients: 'mask' }), TypeError, /^gradients/);
    assertRefuses(() => call({}, x, { weights: true }), TypeError, /no option 'weights'/);
  });
});

// attention-wasm/models: edits and captures that are refused, before anything is computed, by an error that names the edit
// and the field.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';

const models = {};
const load = async (name) => {
  models[name] = await loadModel({
    config: cases[name].config,
    weights: seededWeights(cases[name]),
  });
};

before(async () => {
  // 2 layers each. gpt2: 2 heads, 6 tokens, width 8; qwen3: 4 heads, 2 KV heads of 6, 7 tokens; bart: 5 and 4 tokens,
  // encoder 2 heads, decoder 4.
  for (const name of ['gpt2', 'qwen3', 'gpt_neox', 'bart', 'vit']) await load(name);
});
after(() => Object.values(models).forEach((model) => model.delete()));

const ones = (...dims) => ({ data: Array(dims.reduce((a, b) => a * b, 1)).fill(1), dims });
const zero = { at: 'z', layer: 0, to: 'zero' };
const set = (at, value, more) => ({ at, layer: 0, ...more, to: { set: value } });

// [model, edit, the name and the beginning of the error's message]
const refused = [
  ['gpt2', 5, TypeError, /^the fields of edits\[0\] in run\(\) must be an object, found 5/],
  ['gpt2', null, TypeError, /edits\[0\]/],
  ['gpt2', {}, TypeError, /^edits\[0\] in run\(\) needs the field 'at'/],
  ['gpt2', { at: 'z', to: 'zero' }, TypeError, /^edits\[0\] in run\(\) needs the field 'layer'/],
  ['gpt2', { at: 'z', layer: 0 }, TypeError, /^edits\[0\] in run\(\) needs the field 'to'/],
  [
    'gpt2',
    { ...zero, heads: 1 },
    TypeError,
    /^edits\[0\] in run\(\) has no field 'heads'; it has at, layer/,
  ],
  // places
  [
    'gpt2',
    { ...zero, at: 'hook_z' },
    RangeError,
    /^edits\[0\]\.at must be 'resid_pre', 'q', .* or 'resid_post', found 'hook_z'/,
  ],
  ['gpt2', { ...zero, at: 7 }, TypeError, /^edits\[0\]\.at must be/],
  ['gpt2', { ...zero, at: 'head_out' }, RangeError, /^edits\[0\]\.at must be/],
  ['gpt2', { ...zero, at: '__proto__' }, RangeError, /^edits\[0\]\.at must be/],
  [
    'gpt_neox',
    { at: 'resid_mid', layer: 0, to: 'zero' },
    RangeError,
    /^edits\[0\]\.at is 'resid_mid', which these layers do not have/,
  ],
  [
    'bart',
    { at: 'resid_mid', layer: 0, stack: 'cross', to: 'zero' },
    RangeError,
    /^edits\[0\]\.at is 'resid_mid'/,
  ],
  [
    'bart',
    { at: 'mlp_out', layer: 0, stack: 'cross', to: 'zero' },
    RangeError,
    /^edits\[0\]\.at is 'mlp_out'/,
  ],
  [
    'gpt2',
    { ...zero, stack: 'cross' },
    RangeError,
    /^edits\[0\]\.stack must be 'self', found 'cross'/,
  ],
  [
    'bart',
    zero,
    RangeError,
    /^edits\[0\]\.stack must be 'encoder' or 'decoder' or 'cross', found undefined/,
  ],
  ['bart', { ...zero, stack: 'self' }, RangeError, /^edits\[0\]\.stack must be/],
  // layers and heads
  [
    'gpt2',
    { ...zero, layer: 2 },
    RangeError,
    /^edits\[0\]\.layer has 2, but there are layers 0 to 1/,
  ],
  ['gpt2', { ...zero, layer: [0, 1, 5] }, RangeError, /^edits\[0\]\.layer has 5/],
  [
    'gpt2',
    { ...zero, layer: -1 },
    RangeError,
    /^edits\[0\]\.layer must be integers of at least 0, found -1/,
  ],
  ['gpt2', { ...zero, layer: 0.5 }, RangeError, /^edits\[0\]\.layer must be integers/],
  ['gpt2', { ...zero, layer: [0, 0] }, RangeError, /^edits\[0\]\.layer has 0 twice/],
  ['gpt2', { ...zero, layer: [] }, RangeError, /^edits\[0\]\.layer is empty/],
  ['gpt2', { ...zero, layer: '0' }, TypeError, /^edits\[0\]\.layer/],
  ['gpt2', { ...zero, head: 2 }, RangeError, /^edits\[0\]\.head has 2, but there are heads 0 to 1/],
  ['gpt2', { ...zero, head: [] }, RangeError, /^edits\[0\]\.head is empty/],
  [
    'qwen3',
    { ...zero, at: 'k', head: 2 },
    RangeError,
    /^edits\[0\]\.head has 2, but there are heads 0 to 1/,
  ],
  ['bart', { ...zero, stack: 'encoder', head: 2 }, RangeError, /^edits\[0\]\.head has 2/],
  ['bart', { ...zero, stack: 'decoder', head: 4 }, RangeError, /^edits\[0\]\.head has 4/],
  // fields that a place does not take
  [
    'gpt2',
    { at: 'resid_post', layer: 0, head: 0, to: 'zero' },
    RangeError,
    /^edits\[0\]\.head is set, but resid_post/,
  ],
  ['gpt2', { ...zero, key: 0 }, RangeError, /^edits\[0\]\.key is set, but z/],
  ['gpt2', { ...zero, at: 'k', query: 0 }, RangeError, /^edits\[0\]\.query is set, but k/],
  ['gpt2', { at: 'mlp_out', layer: 0, key: 0, to: 'zero' }, RangeError, /^edits\[0\]\.key is set/],
  // positions
  [
    'gpt2',
    { ...zero, query: 6 },
    RangeError,
    /^edits\[0\]\.query has 6, but there are positions 0 to 5/,
  ],
  [
    'gpt2',
    { at: 'scores', layer: 0, key: [0, 6], to: 'blocked' },
    RangeError,
    /^edits\[0\]\.key has 6/,
  ],
  [
    'bart',
    { at: 'scores', layer: 0, stack: 'cross', query: 4, to: 'blocked' },
    RangeError,
    /^edits\[0\]\.query has 4/,
  ],
  [
    'bart',
    { at: 'scores', layer: 0, stack: 'cross', key: 5, to: 'blocked' },
    RangeError,
    /^edits\[0\]\.key has 5/,
  ],
  ['vit', { ...zero, query: 99 }, RangeError, /^edits\[0\]\.query has 99/],
  // to
  [
    'gpt2',
    { ...zero, to: 'none' },
    RangeError,
    /^edits\[0\]\.to must be 'zero', 'blocked' or 'uniform', found 'none'/,
  ],
  ['gpt2', { ...zero, to: 0 }, TypeError, /edits\[0\]\.to/],
  ['gpt2', { ...zero, to: {} }, TypeError, /^edits\[0\]\.to must have one of set, add and scale/],
  ['gpt2', { ...zero, to: { scale: 1, add: [1] } }, TypeError, /^edits\[0\]\.to must have one of/],
  [
    'gpt2',
    { ...zero, to: { multiply: 2 } },
    TypeError,
    /^edits\[0\]\.to in run\(\) has no field 'multiply'/,
  ],
  [
    'gpt2',
    { ...zero, to: 'blocked' },
    RangeError,
    /^edits\[0\]\.to is 'blocked', which only scores can be/,
  ],
  [
    'gpt2',
    { ...zero, at: 'scores', to: 'uniform' },
    RangeError,
    /^edits\[0\]\.to is 'uniform', which only pattern can be/,
  ],
  [
    'gpt2',
    { at: 'pattern', layer: 0, key: 1, to: 'uniform' },
    RangeError,
    /^edits\[0\]\.key is set, but 'uniform'/,
  ],
  [
    'gpt2',
    { ...zero, to: { scale: Infinity } },
    RangeError,
    /^edits\[0\]\.to\.scale must be a finite/,
  ],
  ['gpt2', { ...zero, to: { scale: 1e39 } }, RangeError, /^edits\[0\]\.to\.scale must be a finite/],
  [
    'gpt2',
    { ...zero, to: { scale: '2' } },
    TypeError,
    /^edits\[0\]\.to\.scale must be a number, found '2'/,
  ],
  // tensors
  [
    'gpt2',
    set('z', 5),
    TypeError,
    /^edits\[0\]\.to\.set must be nested arrays or \{ data, dims \}, found 5/,
  ],
  ['gpt2', set('z', 'zero'), TypeError, /^edits\[0\]\.to\.set must be/],
  [
    'gpt2',
    set('z', [1, 2, 3]),
    RangeError,
    /^edits\[0\]\.to\.set has dims 3, but the selection has 2×6×4/,
  ],
  ['gpt2', set('z', ones(3, 6, 4)), RangeError, /^edits\[0\]\.to\.set has dims 3×6×4/],
  ['gpt2', set('z', ones(2, 5, 4)), RangeError, /^edits\[0\]\.to\.set has dims 2×5×4/],
  ['gpt2', set('z', ones(2, 4), { query: [1, 2, 3] }), RangeError, /has 2×3×4/],
  [
    'gpt2',
    set('z', ones(2, 1, 4), { head: 1 }),
    RangeError,
    /has dims 2×1×4, but the selection has 1×6×4/,
  ],
  ['gpt2', set('z', ones(1, 1, 1, 4)), RangeError, /^edits\[0\]\.to\.set has dims 1×1×1×4/],
  ['gpt2', set('z', ones(0)), RangeError, /^edits\[0\]\.to\.set has dims 0/],
  ['gpt2', set('z', []), RangeError, /^edits\[0\]\.to\.set has dims 0/],
  [
    'gpt2',
    set('resid_pre', ones(2, 6, 8)),
    RangeError,
    /has dims 2×6×8, but the selection has 6×8/,
  ],
  ['gpt2', set('scores', ones(2, 6, 5)), RangeError, /has dims 2×6×5, but the selection has 2×6×6/],
  [
    'gpt2',
    set('z', { data: [1, 2], dims: [4] }),
    RangeError,
    /^edits\[0\]\.to\.set has dims 4 but its data holds 2 numbers/,
  ],
  [
    'gpt2',
    set('z', { data: 5, dims: [4] }),
    TypeError,
    /^edits\[0\]\.to\.set\.data must be an array/,
  ],
  [
    'gpt2',
    set('z', { data: Uint8Array.of(1, 2, 3, 4), dims: [4] }),
    TypeError,
    /^edits\[0\]\.to\.set\.data must be/,
  ],
  [
    'gpt2',
    set('z', { data: [1, 2, 3, 4] }),
    TypeError,
    /^edits\[0\]\.to\.set\.dims must be an array/,
  ],
  [
    'gpt2',
    set('z', [[1, 2], [3]]),
    RangeError,
    /^edits\[0\]\.to\.set\[1\] has length 1 but the first array so deep has length 2/,
  ],
  ['gpt2', set('z', [[[[1]]]]), RangeError, /^edits\[0\]\.to\.set has arrays more than 3 deep/],
  [
    'gpt2',
    set('z', [1, [2], 3, 4]),
    RangeError,
    /^edits\[0\]\.to\.set must have finite float32 numbers/,
  ],
  ['gpt2', set('z', [[[[[1]]]]]), RangeError, /^edits\[0\]\.to\.set/],
  [
    'gpt2',
    set('z', [1, NaN, 3, 4]),
    RangeError,
    /^edits\[0\]\.to\.set must have finite float32 numbers, found NaN/,
  ],
  ['gpt2', set('z', [1, null, 3, 4]), RangeError, /found null/],
  ['gpt2', set('z', [1, -Infinity, 3, 4]), RangeError, /found -Infinity/],
  ['gpt2', set('z', [1, 1e39, 3, 4]), RangeError, /found 1e\+39/],
  ['gpt2', set('z', ['1', 2, 3, 4]), RangeError, /found '1'/],
  [
    'gpt2',
    set('scores', [[Infinity]]),
    RangeError,
    /must have finite float32 numbers, or null for −∞, found Infinity/,
  ],
  ['gpt2', set('scores', [[NaN]]), RangeError, /found NaN/],
];

// [model, capture, the name and the beginning of the error's message]
const refusedCaptures = [
  [
    'gpt2',
    'weights',
    RangeError,
    /^capture\[0\]\.at must be 'resid_pre', .* or 'position_content', found 'weights'/,
  ],
  ['gpt2', {}, TypeError, /^capture\[0\] in run\(\) needs the field 'at'/],
  ['gpt2', { at: 'z', head: 1 }, TypeError, /^capture\[0\] in run\(\) has no field 'head'/],
  ['gpt2', { at: 'z', layer: 2 }, RangeError, /^capture\[0\]\.layer has 2/],
  ['gpt2', 3, TypeError, /capture\[0\]/],
  ['gpt_neox', 'resid_mid', RangeError, /^capture\[0\]\.at is 'resid_mid'/],
  ['bart', 'z', RangeError, /^capture\[0\]\.stack must be 'encoder' or 'decoder' or 'cross'/],
];

const thrown = (message) => (error) => {
  assert.match(error.message, message);
  return true;
};

describe('edits that are refused', () => {
  for (const [index, [name, edit, Problem, message]] of refused.entries()) {
    it(`${index}: ${JSON.stringify(edit)?.slice(0, 80)} in ${name}`, () => {
      const input = seededInput(cases[name]);
      assert.throws(
        () => models[name].run(input, { edits: [edit] }),
        (error) => {
          assert.ok(error instanceof Problem, error.stack);
          return thrown(message)(error);
        },
      );
      // The error names the edit by its place in the list.
      assert.throws(
        () =>
          models[name].run(input, {
            edits: [
              ...Array(3).fill({ ...zero, stack: name === 'bart' ? 'decoder' : 'self' }),
              edit,
            ],
          }),
        /edits\[3\]/,
      );
    });
  }

  for (const [name, capture, Problem, message] of refusedCaptures) {
    it(`captures: ${JSON.stringify(capture)} in ${name}`, () => {
      const input = seededInput(cases[name]);
      assert.throws(
        () => models[name].run(input, { capture: [capture] }),
        (error) => {
          assert.ok(error instanceof Problem, error.stack);
          return thrown(message)(error);
        },
      );
    });
  }

  it('are refused as a whole if they are not a list', () => {
    for (const option of ['edits', 'capture']) {
      assert.throws(() => models.gpt2.run(cases.gpt2.input, { [option]: zero }), {
        name: 'TypeError',
        message: `${option} must be an array, found an object`,
      });
    }
  });
});

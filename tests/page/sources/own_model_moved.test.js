// The stage “Moved” of the reader's model: ‖α v W_O‖ of every layer against float64, with what is blocked, and the vector
// that the flow spells out.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { editsOf, readBlocks } from '../../../web/demo/blocks.js';
import { initialState } from '../../../web/demo/state_fields.js';
import { arrange } from '../../../web/demo/worker/compute/arrange.js';
import { besideOf } from '../../../web/demo/worker/compute/beside.js';
import { inspect } from '../../../web/demo/worker/compute/inspection.js';
import { withMoved } from '../../../web/demo/worker/compute/moved.js';
import { canMove, pictureOf } from '../../../web/demo/worker/compute/picture.js';
import { computeStages } from '../../../web/demo/worker/compute/stages.js';
import { close, open, read } from '../../../web/demo/worker/sources/own_model.js';
import { openModel } from '../../../web/demo/worker/models/open_model.js';
import { markBlocks } from '../../../web/demo/worker/what_if.js';
import { explainDifference } from '../../support/js/compare.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { normsOf } from '../../support/js/oracle_measures.js';
import { oracleModel } from '../../support/js/oracle_model.js';
import { seededNumbers, seededWeights } from '../../support/js/seeded_weights.js';
import { seeingFiles } from '../../support/js/whole_models.js';
import { folderOf, withReading as withCase } from '../../support/js/own_model.js';

const api = await loadAttention();
const context = { api, step: async () => {}, report: () => {} };
const tolerance = 4e-5; // float32 after two layers, of numbers around 1 to 10

// One of each architecture of the oracle; the others have the library's own numbers below.
const withOracle = [
  ...['bert, masked words', 'albert', 'gpt2', 'gpt2, float16', 'qwen3', 'gpt_neox'],
  ...['t5', 'bart'],
];

/** Calls use({ reading, input }) for the input of a case, with `block`. */
const withReading = (one, block, use, weights) =>
  withCase(
    one,
    block,
    (whole, input) => {
      assert.equal(whole.why, undefined);
      return use({ reading: block ? markBlocks(whole, block) : whole, input });
    },
    weights,
  );

/** The first layer's input of each stack. */
function inputsOf({ hiddenStates, encoderHiddenStates }) {
  if (!encoderHiddenStates) return { self: hiddenStates[0] };
  return { encoder: encoderHiddenStates[0], decoder: hiddenStates[0] };
}

/** ‖α v W_O‖ in float64: of a part's id, heads × rows × columns. */
async function oracleOf(one, input, edits = []) {
  const source = { config: one.config, weights: seededWeights({ ...one, type: 'float32' }) };
  const model = await loadModel(source);
  const inputs = inputsOf(model.run(input, { hiddenStates: true }));
  model.delete();
  const { captured } = oracleModel(source, inputs, edits);
  return (id) => {
    const [stack, layer] = id.split('.');
    const isOnly = inputs.self !== undefined;
    const place = (at) => captured.get(`${isOnly ? 'self' : stack} ${at} ${layer}`);
    return { ...normsOf(place('pattern'), place('value_out')).heads, values: place('value_out') };
  };
}

const movedIn = async (part, reading) => {
  const computed = computeStages(api, part, reading, initialState);
  const { moved } = await withMoved(part, computed);
  return { moved, computed };
};

describe('what moved in the reader’s model', () => {
  for (const name of withOracle) {
    it(`is ‖α v W_O‖ in float64, in the picture and in the flow: ${name}`, () =>
      withReading(cases[name], '', async ({ reading, input }) => {
        const expected = await oracleOf(cases[name], input);
        for (const part of reading.parts) {
          assert.equal(canMove(part), true);
          const { moved, computed } = await movedIn(part, reading);
          const { data, dims, values } = expected(part.id);
          assert.equal(explainDifference({ data: moved, dims }, { data, dims }, tolerance), '');
          const [head, row, column] = [part.heads - 1, dims[1] - 1, 0];
          const place = { head, row, column, kind: 'softmax' };
          const { transformed, together } = inspect(api, part, reading, computed, place);
          assert.equal(together, undefined);
          const width = values.dims[2];
          const first = (head * dims[2] + column) * width;
          const wanted = { data: values.data.slice(first, first + width), dims: [width] };
          const got = { data: transformed, dims: [width] };
          assert.equal(explainDifference(got, wanted, tolerance), '');
          const length = Math.hypot(...transformed);
          const weight = computed.stages.weights[(head * dims[1] + row) * dims[2] + column];
          const cell = moved[(head * dims[1] + row) * dims[2] + column];
          assert.equal(cell, Math.fround(weight * length), 'one number');
        }
      }));
  }

  for (const [name, one] of Object.entries(cases)) {
    if (one.input.pixels) continue;
    it(`is what the library's norms() say: ${name}`, () =>
      withReading(one, '', async ({ reading, input }) => {
        const { model } = openModel();
        const stacks = [...new Set(reading.parts.map(({ id }) => id.split('.')[0]))];
        const capture = stacks.map((stack) => ({ at: 'value_out', stack }));
        const norms = model.norms(model.run(input, { attentions: true, capture }));
        assert.equal(norms.length, reading.parts.length);
        for (const { stack, layer, heads } of norms) {
          const part = reading.parts.find(({ id }) => id === `${stack}.${layer}`);
          const { moved } = await movedIn(part, reading);
          const got = { data: moved, dims: heads.dims };
          assert.equal(explainDifference(got, heads, 1e-5), '', part.id);
        }
      }));
  }

  it('is that of int8 weights', () =>
    withReading(
      cases.gpt2,
      '',
      async ({ reading, input }) => {
        const expected = await oracleOf(cases.gpt2, input);
        for (const part of reading.parts) {
          const { data, dims } = expected(part.id);
          const got = { data: (await movedIn(part, reading)).moved, dims };
          assert.equal(explainDifference(got, { data, dims }, 0.1), ''); // of weights in 8 bits
          assert.notEqual(explainDifference(got, { data, dims }, tolerance), '');
        }
      },
      'int8',
    ));

  it('follows what is blocked, and is 0 in heads that are switched off', () =>
    withReading(cases.gpt2, 'self.0.1,self.0:3-1', async ({ reading, input }) => {
      const heads = reading.parts[0].heads;
      const count = input.ids.length;
      const stacks = { self: { layers: 2, heads, queries: count, keys: count } };
      const edits = editsOf(readBlocks('self.0.1,self.0:3-1'), stacks);
      assert.ok(edits.length >= 2);
      const [edited, plain] = [
        await oracleOf(cases.gpt2, input, edits),
        await oracleOf(cases.gpt2, input),
      ];
      const [first, second] = reading.parts;
      const size = count * count;
      const { moved } = await movedIn(first, reading);
      assert.ok(moved.subarray(0, size).some((length) => length > 0));
      assert.ok(moved.subarray(size, 2 * size).every((length) => length === 0));
      assert.equal(moved[3 * count + 1], 0, 'a blocked link');
      const later = (await movedIn(second, reading)).moved;
      const { data, dims } = edited(second.id);
      const got = { data: later, dims };
      assert.equal(explainDifference(got, { data, dims }, tolerance), '');
      assert.notEqual(explainDifference(got, plain(second.id), tolerance), '');
      const before = await reading.unedited();
      for (const part of before.parts) {
        const was = { data: (await movedIn(part, before)).moved, dims };
        assert.equal(explainDifference(was, plain(part.id), tolerance), '');
      }
    }));

  it('is compared with that of another layer', () =>
    withReading(cases.gpt2, '', async ({ reading, input }) => {
      const expected = await oracleOf(cases.gpt2, input);
      const state = { ...initialState, stage: 'moved', head: 1 };
      const [part, other] = reading.parts;
      const { moved, computed } = await movedIn(part, reading);
      const picture = arrange(pictureOf(part, reading, computed.stages, state), state);
      for (const alternative of [
        ['part', other.id],
        ['head', '0'],
      ]) {
        const { stages } = await besideOf(
          ...[api, { part, reading, computed }, picture, alternative, state],
          { report: () => {} },
        );
        const { data, dims } = expected(alternative[0] === 'part' ? other.id : part.id);
        assert.equal(
          explainDifference({ data: stages.moved, dims }, { data, dims }, tolerance),
          '',
        );
        // It is sent to the page, so it is a copy.
        assert.notEqual(stages.moved, computed.moved);
      }
      assert.equal(computed.moved, moved);
    }));

  it('is that of a picture', async () => {
    await open({ files: folderOf(seeingFiles()) }, context);
    try {
      const opened = openModel();
      const pixels = { data: Float32Array.from(seededNumbers('pixels', 192)), dims: [3, 8, 8] };
      Object.assign(opened, { pixels });
      const reading = await read({ mode: 'self' }, context);
      const capture = ['value_out'];
      const norms = opened.model.norms(opened.model.run({ pixels }, { attentions: true, capture }));
      for (const [layer, part] of reading.parts.entries()) {
        const got = { data: (await movedIn(part, reading)).moved, dims: norms[layer].heads.dims };
        assert.equal(explainDifference(got, norms[layer].heads, 1e-5), '');
      }
    } finally {
      await close();
    }
  });

  it('runs the model again for the layer that is shown, once, and keeps no other', () =>
    withReading(cases.gpt2, '', async ({ reading }) => {
      const { model } = openModel();
      const { run } = Object.getPrototypeOf(model);
      const asked = [];
      Object.getPrototypeOf(model).run = function (input, options) {
        asked.push(options.capture);
        return run.call(this, input, options);
      };
      try {
        const [, part] = reading.parts;
        const { computed } = await movedIn(part, reading);
        await withMoved(part, computed);
        assert.deepEqual(asked, [[{ at: 'value_out', stack: 'self', layer: 1 }]]);
        const [heads, columns] = computed.transformed.dims;
        assert.deepEqual([heads, columns], [part.heads, reading.columns.length]);
        assert.equal(
          reading.parts.some((one) => one.computed || one.values),
          false,
        );
      } finally {
        Object.getPrototypeOf(model).run = run;
      }
    }));
});

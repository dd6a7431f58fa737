// The page's rollout of each stack of self-attention against float64, with what is blocked.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadTranslator } from 'attention-wasm/translator';
import { editsOf, readBlocks } from '../../../web/demo/blocks.js';
import { initialState } from '../../../web/demo/state_fields.js';
import { besideOf } from '../../../web/demo/worker/compute/beside.js';
import { arrange } from '../../../web/demo/worker/compute/arrange.js';
import { pictureOf } from '../../../web/demo/worker/compute/picture.js';
import { computeStages } from '../../../web/demo/worker/compute/stages.js';
import { read } from '../../../web/demo/worker/models/built_in_model.js';
import { rollOut } from '../../../web/demo/worker/compute/rolled_out.js';
import { withRollouts } from '../../../web/demo/worker/sources/rollout_parts.js';
import { markBlocks } from '../../../web/demo/worker/what_if.js';
import { explainDifference } from '../../support/js/compare.js';

const api = await loadAttention();
const translator = await loadTranslator();
const context = { api, step: async () => {}, report: async () => {} };
const second = 'The red car is in front of the house.';
const first = 'La voiture rouge est devant la maison.';

/** R_l = Â_l R_(l−1), Â = norm of the rows of the heads' mean + I (Abnar and Zuidema 2020), in float64. */
function oracle(layers) {
  let before = null;
  for (const { data, dims } of layers) {
    const [heads, n] = dims;
    const mixing = Array.from({ length: n }, (_, i) => {
      const row = Array.from({ length: n }, (__, j) => {
        let sum = 0;
        for (let head = 0; head < heads; ++head) sum += data[(head * n + i) * n + j];
        return sum / heads + (i === j ? 1 : 0);
      });
      const total = row.reduce((a, b) => a + b, 0);
      return row.map((weight) => weight / total);
    });
    before = before
      ? mixing.map((row) =>
          row.map((_, j) => row.reduce((sum, weight, k) => sum + weight * before[k][j], 0)),
        )
      : mixing;
  }
  return { data: Float64Array.from(before.flat()), dims: [1, before.length, before.length] };
}

const rolledOut = async (reading, id) => {
  const part = reading.parts.find((one) => one.id === id);
  await rollOut(api, part, reading);
  return part;
};

describe('rollout of the trained model', () => {
  it('is that of its attentions, behind the last layer of encoder and decoder', async () => {
    const reading = withRollouts(await read({ mode: 'cross', first, second }, context));
    const { attention } = translator.translate(second, { target: first });
    const stacks = { encoder: attention.encoder, decoder: attention.decoder };
    const ids = reading.parts.map(({ id }) => id);
    for (const [stack, layers] of Object.entries(stacks)) {
      const at = ids.indexOf(`${stack}.rollout`);
      assert.equal(ids[at - 1], `${stack}.${layers.length - 1}`);
      const { rolledOut: rollout, rows, columns } = await rolledOut(reading, `${stack}.rollout`);
      const { weights } = rollout;
      assert.deepEqual(weights.dims, [1, rows.length, columns.length]);
      assert.equal(explainDifference(weights, oracle(layers), 2e-6), '');
    }
    assert.equal(ids.filter((id) => id.endsWith('rollout')).length, 2, 'none of cross-attention');
  });

  it('follows what is blocked, and is compared with what it was', async () => {
    const block = 'encoder.1.2,encoder:2';
    const before = translator.encode(second).attention.encoder;
    const [heads, count] = before[0].dims;
    const stacks = { encoder: { layers: before.length, heads, queries: count, keys: count } };
    const { attention } = translator.encode(second, { edits: editsOf(readBlocks(block), stacks) });
    const marked = markBlocks(await read({ mode: 'self', first: second, block }, context), block);
    const reading = withRollouts(marked);
    const part = await rolledOut(reading, 'encoder.rollout');
    const { weights } = part.rolledOut;
    const expected = oracle(attention.encoder);
    assert.equal(explainDifference(weights, expected, 2e-6), '');
    assert.notEqual(explainDifference(oracle(before), expected, 1e-2), '');
    const state = { ...initialState, hideSpecial: false, merge: false };
    const computed = computeStages(api, part, reading, state);
    const picture = arrange(pictureOf(part, reading, computed.stages, state), state);
    const shown = { part, reading, computed };
    const { stages } = await besideOf(api, shown, picture, ['was', ''], state, {});
    const was = { data: stages.weights, dims: weights.dims };
    assert.equal(explainDifference(was, oracle(before), 2e-6), '');
  });
});

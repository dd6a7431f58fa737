// Blocks in a model of the reader: what they change in its weights, and in its classes for a text and for an image.

import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { ablate } from 'attention-wasm/models';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { initialState } from '../../../web/demo/state_fields.js';
import { computeWeights } from '../../../web/demo/worker/compute/stages.js';
import { sources } from '../../../web/demo/worker/sources/source_list.js';
import { markBlocks } from '../../../web/demo/worker/what_if.js';
import { openModel } from '../../../web/demo/worker/models/open_model.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededWeights } from '../../support/js/seeded_weights.js';
import { decoderFiles, seeingFiles } from '../../support/js/whole_models.js';
import { folderOf } from '../../support/js/own_model.js';

const own = sources.find(({ id }) => id === 'own');
const context = { api: await loadAttention(), step: async () => {}, report: () => {} };
const { config, ...rest } = cases['bert, classes'];
const ids = rest.input.ids;
const id2label = { 0: 'bad', 1: 'so-so', 2: 'good' };
const classifier = folderOf({
  'config.json': JSON.stringify({ ...config, id2label }),
  'model.safetensors': writeSafetensors(seededWeights(rest)),
});
const pixels = {
  data: Float32Array.from({ length: 192 }, (_, at) => Math.sin(7 * at)),
  dims: [3, 8, 8],
};

/** [name, probability] of each class, likeliest first. */
function classesOf({ logits: { data } }, labels) {
  const exponentials = Array.from(data, Math.exp);
  const sum = exponentials.reduce((all, one) => all + one, 0);
  return exponentials
    .map((one, id) => [labels[id] ?? `class ${id}`, one / sum])
    .sort((a, b) => b[1] - a[1]);
}

function assertClasses(got, want) {
  got.forEach(({ text, probability }, at) => {
    assert.equal(text, want[at][0]);
    assert.ok(Math.abs(probability - want[at][1]) < 1e-6, text);
  });
  assert.ok(got.length > 1);
}

describe('blocks in a model of the reader', () => {
  afterEach(() => own.close());

  it('of a link in all layers have the weights of run() with the edits', async () => {
    await own.open({ files: folderOf(decoderFiles()) }, context);
    const { model } = openModel();
    const text = 'two cats sat';
    const layer = Array.from({ length: model.layers }, (_, at) => at);
    const edits = [{ at: 'scores', layer, query: [4, 5], key: [0, 1], to: 'blocked' }];
    const { attentions } = model.run(text, { attentions: true, edits });
    const block = 'self:4.5-0.1';
    const reading = markBlocks(
      await own.read({ mode: 'self', first: text, block }, context),
      block,
    );
    const parts = reading.parts.filter(({ id }) => /^self\.\d+$/.test(id));
    assert.equal(parts.length, attentions.self.length);
    for (const [n, { data, dims }] of attentions.self.entries()) {
      const drawn = computeWeights(context.api, parts[n], reading, initialState);
      assert.equal(data[4 * dims[2]], 0);
      data.forEach((weight, at) => assert.ok(Math.abs(drawn[at] - weight) < 1e-6, `${n}, ${at}`));
    }
  });

  for (const [what, files, input, labels] of [
    ['a text', classifier, { ids }, id2label],
    ['an image', folderOf(seeingFiles('vit, newer names')), { pixels }, {}],
  ]) {
    it(`change the classes of ${what}`, async () => {
      await own.open({ files }, context);
      const { model } = openModel();
      openModel().pixels = input.pixels;
      const request = { mode: 'self', first: ids.join(' '), block: 'self.1.0' };
      const reading = await own.read(request, context);
      const [before, now] = [[], ablate(1, 0)].map((edits) => model.run(input, { edits }));
      const effect = await reading.effect();
      assert.equal(effect.kind, 'likeliest');
      assertClasses(effect.was, classesOf(before, labels));
      assertClasses(effect.now, classesOf(now, labels));
      const [[name, probability]] = classesOf(now, labels);
      assert.ok(reading.note.startsWith(`Most likely: ${name} ${probability.toFixed(2)}`));
    });
  }
});

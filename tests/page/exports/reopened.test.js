// The page's own JSON export, opened again as a file: the same words, the same numbers in every stage, the same view and
// selection.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddress } from '../../../web/demo/page/address.js';
import { toJSON } from '../../../web/demo/page/exports/data_files.js';
import { close, open } from '../../../web/demo/worker/sources/files/open_files.js';
import { answerTo, flowOf } from '../../support/js/page_answer.js';

const pictures = {
  'spelling, masked and sorted':
    '#source=ngrams&text=how+much+wood%3F+would+a+wood-chuck&heads=2&head=1&causal=yes' +
    '&merge=yes&hideSpecial=yes&sort=total&row=1&column=0&temperature=2',
  'two texts by a kernel':
    '#source=ngrams&mode=cross&text=tea+for+uncle&context=my+uncle+made+tea&kind=laplacian&stage=difference&row=2&column=1',
  'the model’s translation':
    '#mode=cross&text=The+red+car+is+in+front+of+the+house.&merge=yes&head=1&row=3&column=4',
  'the decoder of the model':
    '#mode=cross&text=The+red+car.&part=decoder.1&average=yes&view=lines&row=2&column=1',
};

const labelsOf = ({ rows, columns }) => [rows, columns].map((list) => list.map(({ text }) => text));

describe('a JSON export opened again', () => {
  for (const [what, hash] of Object.entries(pictures)) {
    it(`has the same picture: ${what}`, async (t) => {
      const before = await answerTo(readAddress(hash));
      const { state, picture, facts, answers } = before;
      const settings = { view: state.view, stage: state.stage };
      const shown = { state, picture, facts, settings, selection: { head: state.head } };
      const json = toJSON(shown, answers.tensors());
      const file = await open(new File([json], 'attention.json'));
      t.after(() => close(file.files[0].id));
      const saved = readAddress(file.link.slice(file.link.indexOf('#')));
      const after = await answerTo(
        { ...saved, ...file.state, source: 'files', part: '' },
        { files: 1 },
      );
      assert.deepEqual(labelsOf(after.picture), labelsOf(picture));
      const stages = Object.keys(picture.stages).filter((stage) => picture.stages[stage]);
      assert.ok(stages.length >= 4, stages.join());
      for (const stage of stages) {
        const numbers = picture.stages[stage];
        assert.equal(after.picture.stages[stage].length, numbers.length, stage);
        numbers.forEach((number, at) => {
          const found = after.picture.stages[stage][at];
          const isNear = Object.is(found, number) || Math.abs(found - number) < 2e-6;
          assert.ok(isNear, `${stage}, ${at}: ${found}, not ${number}`);
        });
      }
      const [was, now] = [before, after].map((answer) => flowOf(answer));
      assert.deepEqual([now.pair, now.cell], [was.pair, was.cell]);
      for (const name of ['view', 'stage', 'head', 'average', 'kind', 'causal', 'sort']) {
        assert.equal(after.state[name], state[name], name);
      }
    });
  }
});

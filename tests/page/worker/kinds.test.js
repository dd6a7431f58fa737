// Every kind of attention in every mode and stage has the library's numbers in the worker's answer.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { kinds } from '../../../web/demo/kinds.js';
import { similarity } from '../../../web/demo/page/flow/similarity.js';
import { stagesOf } from '../../support/js/kind_stages.js';
import { answerTo } from '../../support/js/page_answer.js';
import { spell } from '../../support/js/page_numbers.js';

const [first, second] = ['My uncle made tea', 'made my tea'];
describe('the kinds of attention', () => {
  for (const mode of ['self', 'cross']) {
    for (const { id: kind } of kinds) {
      it(`have the library’s numbers: ${kind} in the mode ${mode}`, async () => {
        const texts = { source: 'ngrams', text: first, context: second };
        const { picture, inspection } = await answerTo({ ...texts, mode, kind, row: 1, column: 2 });
        const truth = spell(first, mode === 'cross' ? second : first);
        const labels = [picture.rows, picture.columns].map((list) => list.map(({ text }) => text));
        assert.deepEqual(labels, [truth.rows, truth.columns]);
        const stages = stagesOf(kind, truth);
        assert.deepEqual(Object.keys(picture.stages).sort(), Object.keys(stages).sort());
        const width = truth.columns.length;
        for (const [stage, values] of Object.entries(stages)) {
          assert.equal(picture.stages[stage].length, values.length);
          values.forEach((value, at) => {
            const found = picture.stages[stage][at];
            const isRight = Object.is(found, value) || Math.abs(found - value) <= 1e-6;
            assert.ok(isRight, `${stage}, ${at}: ${found}, but ${value}`);
          });
          if (stage === 'difference') continue;
          // The inspection has the same row.
          const row = picture.stages[stage].slice(width, 2 * width);
          assert.deepEqual([...inspection.stages[stage]], [...row], stage);
        }
        if (['softmax', 'efficient'].includes(kind)) return;
        // The page's sim(q, k) of the row, divided by their sum, are its weights.
        const vectorOf = ({ data }, at) => data.subarray(64 * at, 64 * at + 64);
        const { scale } = inspection.options;
        const sims = truth.columns.map((_, column) =>
          similarity(kind, vectorOf(truth.q, 1), vectorOf(truth.k, column), scale),
        );
        const sum = sims.reduce((all, one) => all + one, 0);
        sims.forEach((sim, column) => {
          const off = Math.abs(sim / sum - inspection.stages.weights[column]);
          assert.ok(off <= 1e-5, `sim of column ${column} is off by ${off}`);
        });
      });
    }
  }
});

// Scores of a decoder's heads on repeated random tokens, against their definition in float64.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { scoresOf, sequenceOf } from '../../../web/demo/worker/models/head_scores.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const load = (name, config = {}) =>
  loadModel({ config: { ...cases[name].config, ...config }, weights: seededWeights(cases[name]) });

describe('scores of heads', () => {
  for (const [name, config] of [
    ['gpt2', {}],
    ['qwen3', { bos_token_id: 3 }],
  ]) {
    it(`are mean weights on the previous token, the copy, and the token after it: ${name}`, async () => {
      const model = await load(name, config);
      try {
        const { ids, length } = sequenceOf(model, 1);
        const first = ids.length - 2 * length; // of the random tokens
        assert.equal(first, Number.isInteger(model.config.bos_token_id) ? 1 : 0);
        assert.deepEqual(ids.slice(first, first + length), ids.slice(first + length));
        assert.equal(new Set(ids).size, length + first);
        assert.notDeepEqual(sequenceOf(model, 0).ids, ids);
        const { scores } = await scoresOf({ model }, 1);
        const { attentions } = model.run({ ids }, { attentions: true });
        // Key of each row: an offset from it, in the rows from `from` on.
        const expected = {
          previous_token: { from: 1, back: 1 },
          duplicate_token: { from: first + length, back: length },
          induction: { from: first + length, back: length - 1 },
        };
        for (const [pattern, { from, back }] of Object.entries(expected)) {
          const { data, dims } = scores[pattern];
          assert.deepEqual(dims, [model.layers, model.heads]);
          attentions.self.forEach((layer, n) => {
            for (let head = 0; head < model.heads; ++head) {
              let sum = 0;
              for (let row = from; row < ids.length; ++row) {
                sum += layer.data[(head * ids.length + row) * ids.length + row - back];
              }
              const mean = sum / (ids.length - from);
              const got = data[n * model.heads + head];
              assert.ok(Math.abs(got - mean) < 1e-6, `${pattern} ${n}.${head}: ${got} ${mean}`);
            }
          });
        }
      } finally {
        model.delete();
      }
    });
  }
});

// `attention-wasm learn repeat`: an induction head appears in the second layer, for other seeds too.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { headScores } from 'attention-wasm/models';
import { printed } from '../../support/js/command.js';

describe('the command learn repeat', { timeout: 600_000 }, () => {
  for (const seed of [1, 2]) {
    it(`learns by an induction head: seed ${seed}`, () => {
      const output = printed(['learn', 'repeat', '--seed', String(seed), '--json']);
      const { right, of, example } = JSON.parse(output);
      // A row is right if all its predictable letters are: 7 to 10.
      assert.ok(right >= 0.75 * of, `${right} of ${of}`);
      const layers = example.attention.map(({ data, dims }) => ({
        data: Float32Array.from(data),
        dims,
      }));
      const [first, second] = headScores(layers, example.columns, 'induction').data;
      // The pattern names a column in 11 of the 17 rows, so the score is at most 0.65.
      assert.ok(second > 0.45, `score ${second}`);
      assert.ok(first < 0.2, `score ${first} in the first layer`);
    });
  }
});

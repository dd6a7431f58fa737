// attention-wasm/models with pools of 1 to 4 workers and int8 weights: the bits of the same model without one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { loadAttentionPool } from 'attention-wasm/pool';
import { allTokens, loadDivided } from '../../support/js/divided_models.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';
import { same } from '../../support/js/same_results.js';

describe('a model on a pool', () => {
  const pools = [];
  before(async () => {
    for (const workers of [1, 2, 3, 4]) pools.push(await loadAttentionPool({ workers }));
  });
  after(() => Promise.all(pools.map((pool) => pool.close())));

  for (const [name, found] of Object.entries(cases)) {
    it(`of 1 to 4 workers has the bits of one without: ${name}`, async () => {
      const source = { config: found.config, weights: seededWeights(found) };
      const input = seededInput(found);
      const options = { attentions: true, hiddenStates: true, projections: true };
      const generation = { maxTokens: 3, beam: 3, logits: true };
      const alone = await loadModel(source, { weights: 'int8' });
      const want = alone.run(input, options);
      const tokens = alone.canGenerate && (await allTokens(alone.generate(input, generation)));
      for (const pool of pools) {
        const divided = await loadDivided(source, pool, { weights: 'int8' });
        assert.equal(divided.workers, pool.workers);
        same(await divided.run(input, options), want, name);
        if (tokens) same(await allTokens(divided.generate(input, generation)), tokens, name);
        divided.delete();
      }
      alone.delete();
    });
  }
});

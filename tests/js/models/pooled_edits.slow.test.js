// attention-wasm/models with a pool: each edit of each hook point, in models of each kind, and edits with int8 weights in
// pools of 1 to 4 workers have the bits of the same model without one.
import { after, before, describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { loadAttentionPool } from 'attention-wasm/pool';
import { allTokens, loadDivided } from '../../support/js/divided_models.js';
import { editsOf, editsOfAll, isEditable, listed, placesOf } from '../../support/js/model_edits.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';
import { same } from '../../support/js/same_results.js';

const sourceOf = ({ config, ...others }) => ({
  // No end token, so that all texts have the requested length.
  config: { ...config, eos_token_id: undefined },
  weights: seededWeights({ config, ...others }),
});

const kinds = ['bert, masked words', 'albert', 'gpt2', 'qwen3', 'gpt_neox', 't5', 'bart', 'dinov2'];

describe('a model on a pool', () => {
  const pools = [];
  before(async () => {
    for (const workers of [1, 2, 3, 4]) pools.push(await loadAttentionPool({ workers }));
  });
  after(() => Promise.all(pools.map((pool) => pool.close())));

  for (const [name, found] of Object.entries(cases)) {
    it(`of 1 to 4 workers has edits with the bits of one without: ${name}`, async () => {
      const source = sourceOf(found);
      const input = seededInput(found);
      const { ids } = input;
      const alone = await loadModel(source, { weights: 'int8' });
      const capture = placesOf(alone);
      const plain = alone.run(input, { capture });
      const edits = editsOfAll(capture, listed(plain));
      const options = { capture, edits, attentions: true, hiddenStates: true, projections: true };
      const generation = { maxTokens: 3, beam: 3, logits: true, capture, edits };
      const want = alone.run(input, options);
      const tokens = alone.canGenerate && (await allTokens(alone.generate({ ids }, generation)));
      for (const pool of pools) {
        const divided = await loadDivided(source, pool, { weights: 'int8' });
        same(await divided.run(input, { capture }), plain, name);
        same(await divided.run(input, options), want, name);
        if (tokens) same(await allTokens(divided.generate({ ids }, generation)), tokens, name);
        divided.delete();
      }
      alone.delete();
    });
  }

  for (const name of kinds) {
    it(`has the bits of one without for each edit of each place: ${name}`, async () => {
      const source = sourceOf(cases[name]);
      const input = seededInput(cases[name]);
      const [alone, divided] = [await loadModel(source), await loadDivided(source, pools[1])];
      const capture = placesOf(alone);
      const captured = listed(alone.run(input, { capture }));
      for (const place of capture.filter(({ at }) => isEditable(at))) {
        const { dims } = captured.get(`${place.stack} ${place.at} 0`);
        for (const edit of editsOf(place, 0, dims)) {
          const options = { edits: [edit], capture };
          const label = JSON.stringify(edit).slice(0, 200);
          same(await divided.run(input, options), alone.run(input, options), label);
        }
      }
      divided.delete();
      alone.delete();
    });
  }
});

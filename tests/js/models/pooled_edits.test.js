// attention-wasm/models with a pool: edits, captures and measures have the bits of the same model without one.
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ablate, knockout, loadModel, sweep } from 'attention-wasm/models';
import { loadAttentionPool } from 'attention-wasm/pool';
import { allTokens, loadDivided } from '../../support/js/divided_models.js';
import { editsOfAll, listed, placesOf } from '../../support/js/model_edits.js';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededInput, seededWeights } from '../../support/js/seeded_weights.js';
import { same } from '../../support/js/same_results.js';
import { watchedPool } from '../../support/js/watched_pool.js';

const sourceOf = ({ config, ...others }) => ({
  // No end token, so that all texts have the requested length.
  config: { ...config, eos_token_id: undefined },
  weights: seededWeights({ config, ...others }),
});

describe('a model on a pool', () => {
  let pool;
  before(async () => (pool = await loadAttentionPool({ workers: 3 })));
  after(() => pool.close());

  /** use({ alone, divided, input, capture }): the same model without and with the pool. */
  async function withBoth(name, use) {
    const source = sourceOf(cases[name]);
    const [alone, divided] = [await loadModel(source), await loadDivided(source, pool)];
    await use({ alone, divided, input: seededInput(cases[name]), capture: placesOf(alone) });
    divided.delete();
    alone.delete();
  }

  for (const name of Object.keys(cases)) {
    it(`has edits and captures with the bits of one without: ${name}`, () =>
      withBoth(name, async ({ alone, divided, input, capture }) => {
        const edits = editsOfAll(capture, listed(alone.run(input, { capture })));
        const options = { capture, edits, attentions: 'average', hiddenStates: true };
        same(await divided.run(input, options), alone.run(input, options), name);
      }));
  }

  for (const name of ['gpt2', 'qwen3', 'bart', 't5']) {
    it(`generates with edits and captures, also in beams: ${name}`, () =>
      withBoth(name, async ({ alone, divided, input, capture }) => {
        const { ids } = input;
        const plain = alone.run(input, { capture });
        const edits = [
          ...editsOfAll(capture, listed(plain)).filter(({ key, query }) => key ?? query),
          { at: 'scores', layer: 1, stack: capture[0].stack, head: 1, key: 1, to: 'blocked' },
          { at: 'v', layer: [0, 1], stack: capture.at(-1).stack, head: 0, to: { scale: 2 } },
        ];
        for (const beam of [1, 3]) {
          const options = { maxTokens: 3, capture, edits, logits: true, beam };
          const want = await allTokens(alone.generate({ ids }, options));
          same(await allTokens(divided.generate({ ids }, options)), want, name);
        }
      }));
  }

  for (const name of ['gpt2', 't5', 'vit, newer names']) {
    it(`measures results of its own: ${name}`, () =>
      withBoth(name, async ({ alone, divided, input, capture }) => {
        const options = { attribution: true, headOutputs: true, attentions: true, capture };
        const want = alone.run(input, options);
        const got = await divided.run(input, options);
        same(got, want, name);
        assert.deepEqual(await divided.lens(got), alone.lens(want));
        const of = { token: 1, against: 2 };
        assert.deepEqual(await divided.attribute(got, of), alone.attribute(want, of));
        await assert.rejects(divided.attribute(got, { token: -1 }), RangeError);
        assert.deepEqual(divided.norms(got), alone.norms(want));
        const { stack } = capture.at(-1);
        const edit = (layer, head, position) => [
          ...ablate(layer, head, { stack }),
          ...knockout({ layers: [layer], query: [position], key: [0], stack }),
        ];
        const sweeping = {
          edit: stack === 'cross' ? (layer) => [{ at: 'v', layer, stack, to: 'zero' }] : edit,
          metric: ({ logits }) => logits.data[0],
          over: { positions: [0, 1] },
        };
        assert.deepEqual(
          await sweep(divided, input, sweeping),
          await sweep(alone, input, sweeping),
        );
      }));
  }

  it('refuses wrong edits with rejections', () =>
    withBoth('gpt2', async ({ divided, input }) => {
      const edits = ablate(9, 0);
      await assert.rejects(divided.run(input, { edits }), RangeError);
      await assert.rejects(divided.run(input, { capture: ['x'] }), RangeError);
      assert.throws(() => divided.generate(input, { edits }), RangeError);
    }));
});

describe('a call with edits and captures on a pool', () => {
  const { ids } = cases.llama.input;
  const options = {
    edits: [{ at: 'z', layer: 0, head: 1, to: 'zero' }],
    capture: ['head_out', 'resid_post'],
  };

  /** use({ watched, model, want }): a model on two workers, and the result without a pool. */
  async function withWatched(use) {
    const watched = await watchedPool({ workers: 2 });
    const source = sourceOf(cases.llama);
    const alone = await loadModel(source);
    const want = alone.run({ ids }, options);
    alone.delete();
    const model = await loadDivided(source, watched.pool);
    try {
      await use({ watched, model, want });
    } finally {
      await watched.pool.close();
    }
  }

  /** Calls act() when the first worker is sent a task. */
  function whenSent({ made: [worker] }, name, act) {
    const post = worker.postMessage;
    worker.postMessage = (message, transfer) => {
      post(message, transfer);
      if (message.task === name) act();
    };
  }

  for (const task of ['run', 'outputsPerHead']) {
    it(`is aborted in the task ${task}, and the next call has the same bits`, () =>
      withWatched(async ({ watched, model, want }) => {
        const stopping = new AbortController();
        whenSent(watched, task, () => stopping.abort(new Error('enough')));
        await assert.rejects(model.run({ ids }, { ...options, signal: stopping.signal }), /enough/);
        same(await model.run({ ids }, options), want);
      }));

    it(`rejects if a worker dies in the task ${task}`, () =>
      withWatched(async ({ watched, model }) => {
        whenSent(watched, task, () => watched.made[1].terminate());
        for (let call = 0; call < 2; call++) {
          await assert.rejects(model.run({ ids }, options), /a worker of the pool died/);
        }
      }));

    it(`rejects if the model is deleted in the task ${task}`, () =>
      withWatched(async ({ watched, model }) => {
        whenSent(watched, task, () => model.delete());
        await assert.rejects(model.run({ ids }, options), /the model was deleted/);
      }));
  }
});

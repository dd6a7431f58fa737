// attention-wasm/models: results of beam search, compared with independent float64 searches (tests/vectors/beams.py), one of
// which is exhaustive.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadModel } from 'attention-wasm/models';
import { cases } from '../../support/js/models_with_tokens.js';
import { root } from '../../support/js/package.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

const searches = JSON.parse(await readFile(join(root, 'tests/vectors/beams.json'), 'utf8'));

async function withModel(name, use, options, change = (weights) => weights, changed = {}) {
  const config = { ...cases[name].config, ...changed };
  const weights = change(seededWeights(cases[name]));
  const model = await loadModel({ config, weights }, options);
  try {
    return await use(model);
  } finally {
    model.delete();
  }
}

/** First input of a case's search. */
const inputOf = (name, { start }) =>
  cases[name].input.decoderIds ? { ids: cases[name].input.ids, decoderIds: start } : { ids: start };

async function all(generated) {
  const tokens = [];
  for await (const token of generated) tokens.push(token);
  return tokens;
}

const idsOf = (tokens) => tokens.map(({ id }) => id);

/** The log of the probability of each token, by its logits. */
const logProbabilities = (tokens) =>
  tokens.map(({ id, logits: { data } }) => {
    const sum = data.reduce((total, x) => total + Math.exp(x), 0);
    return data[id] - Math.log(sum);
  });

describe('beams', () => {
  for (const [name, found] of Object.entries(searches)) {
    it(`find what float64 finds: ${name}`, async () => {
      const { ends, beams } = found;
      await withModel(name, async (model) => {
        const input = inputOf(name, found);
        for (const { beam, tokens, ids, logProbability } of beams) {
          const options = { beam, maxTokens: tokens, stop: ends };
          assert.deepEqual(idsOf(await all(model.generate(input, options))), ids, `beam ${beam}`);
          const wanted = { ...options, logits: true, attentions: true };
          const told = await all(model.generate(input, wanted));
          assert.deepEqual(idsOf(told), ids);
          const sum = logProbabilities(told).reduce((a, b) => a + b, 0);
          assert.ok(Math.abs(sum - logProbability) < 1e-4, `${sum}, ${logProbability}`);
          assert.ok(told.every(({ attentions }) => Object.keys(attentions).length > 0));
          // Each option alone.
          for (const part of ['logits', 'attentions']) {
            const alone = await all(model.generate(input, { ...options, [part]: true }));
            assert.deepEqual(
              alone.map((token) => token[part]),
              told.map((token) => token[part]),
            );
          }
        }
      });
    });

    it(`find the likeliest text with enough beams: ${name}`, async () => {
      const { ends, exhaustive } = found;
      const { tokens, ids } = exhaustive;
      // 121 beams would hold all texts of three tokens.
      const options = { beam: 64, maxTokens: tokens, stop: ends };
      await withModel(name, async (model) => {
        const written = await all(model.generate(inputOf(name, found), options));
        assert.deepEqual(idsOf(written), ids);
      });
    });
  }

  it('prefer the smaller id of equally likely tokens, and the first of equally likely texts', async () => {
    const noDifference = (weights) => {
      weights.get('lm_head.weight').data.fill(0);
      return weights;
    };
    await withModel(
      'llama',
      async (model) => {
        for (const beam of [2, 3, 7]) {
          const options = { beam, maxTokens: 4 };
          const ids = idsOf(await all(model.generate({ ids: [1] }, options)));
          assert.deepEqual(ids, [0, 0, 0, 0]);
        }
        const options = { beam: 3, maxTokens: 4, stop: [0] };
        assert.deepEqual(idsOf(await all(model.generate({ ids: [1] }, options))), [0]);
      },
      {},
      noDifference,
    );
  });

  it('compute each token once, and free their caches', async () => {
    const real = await loadAttention();
    const read = [];
    const counting = (layer) => {
      const forward = layer.forward.bind(layer);
      layer.forward = (x, options) => {
        read.push(x.dims);
        return forward(x, options);
      };
      return layer;
    };
    const fromWeights = (...given) => counting(real.TransformerLayer.fromWeights(...given));
    const api = { ...real, TransformerLayer: Object.assign(() => {}, { fromWeights }) };
    const start = [4, 9, 2, 7];
    await withModel(
      'mistral',
      async (model) => {
        await all(model.generate({ ids: start }, { beam: 3, maxTokens: 8 }));
        const steps = read.filter((_, n) => n % model.layers === 0);
        assert.deepEqual(steps, [[3, start.length, 8], ...Array(7).fill([3, 1, 8])]);
        const before = real.memoryBytes();
        for (let n = 0; n < 100; n++) {
          await all(model.generate({ ids: start }, { beam: 3, maxTokens: 3 }));
        }
        assert.equal(real.memoryBytes(), before);
      },
      { api },
    );
  });

  it('refuse sampling options, and invalid numbers', async () => {
    await withModel('gpt2', (model) => {
      for (const chance of [{ temperature: 1 }, { topK: 3 }, { seed: 1 }]) {
        const generate = () => model.generate({ ids: [1] }, { beam: 2, ...chance });
        assert.throws(generate, /^RangeError: beam search cannot be combined with sampling/);
      }
      for (const beam of [0, 1.5, NaN, 65]) {
        const generate = () => model.generate({ ids: [1] }, { beam });
        assert.throws(generate, /^RangeError: beam must be an integer from 1 to 64, found/);
      }
    });
  });
});

describe('a generation with a signal', () => {
  const given = { maxTokens: 8, stop: [] };

  it('has the tokens of one without', async () => {
    for (const name of ['gpt2', 'bart']) {
      for (const beam of [1, 3]) {
        await withModel(name, async (model) => {
          const written = async (signal) => {
            const ids = [];
            const options = { ...given, beam, signal };
            for await (const { id } of model.generate(cases[name].input, options)) ids.push(id);
            return ids;
          };
          assert.deepEqual(await written(new AbortController().signal), await written());
        });
      }
    }
  });

  it('ends with its reason between two steps, and frees its memory', async () => {
    const api = await loadAttention();
    await withModel('gpt2', async (model) => {
      const held = api.memoryBytes();
      for (const beam of [1, 3]) {
        const controller = new AbortController();
        const reason = new Error('enough');
        // Another task aborts while the caller awaits.
        setImmediate(() => controller.abort(reason));
        const steps = model.generate(cases.gpt2.input, {
          ...given,
          beam,
          signal: controller.signal,
        });
        await assert.rejects(async () => {
          for await (const step of steps) assert.ok(step);
        }, reason);
      }
      assert.equal(api.memoryBytes(), held);
      const aborted = model.generate(cases.gpt2.input, { signal: AbortSignal.abort() });
      await assert.rejects(aborted.next(), { name: 'AbortError' });
      for (const signal of [7, { aborted: false, throwIfAborted() {} }]) {
        assert.throws(() => model.generate(cases.gpt2.input, { signal }), {
          name: 'TypeError',
          message: /signal must be an AbortSignal/,
        });
      }
      assert.throws(() => model.generate(cases.gpt2.input, { maxInput: 1 }), {
        name: 'RangeError',
        message: /the input has \d+ tokens, but maxInput is 1/,
      });
    });
  });
});

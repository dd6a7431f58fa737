// Text generation lets other tasks run, with a signal and without.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { cases } from '../../support/js/models_with_tokens.js';
import { seededWeights } from '../../support/js/seeded_weights.js';

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

async function all(generated) {
  const tokens = [];
  for await (const token of generated) tokens.push(token);
  return tokens;
}

describe('other tasks', () => {
  it('run during generation, between all steps with a signal, and every 15 ms without', async (t) => {
    let time = 0; // a millisecond passes whenever the clock is read, once a step
    let readSince = 0; // the latest task
    let longest = 0;
    let tasks = 0;
    t.mock.method(performance, 'now', () => {
      longest = Math.max(longest, ++readSince);
      return ++time;
    });
    let next;
    const task = () => {
      readSince = 0;
      tasks++;
      next = setImmediate(task);
    };
    task();
    t.after(() => clearImmediate(next));
    const steps = 300;
    const texts = async (model) => {
      for (const beam of [1, 64]) {
        for (const signal of [undefined, new AbortController().signal]) {
          [time, longest, tasks] = [0, 0, 0];
          await all(model.generate({ ids: [1] }, { beam, maxTokens: steps, signal }));
          if (signal) assert.ok(tasks >= steps - 1, `${tasks} tasks with ${beam} beams`);
          else {
            assert.ok(longest <= 20, `${longest} ms without a task, with ${beam} beams`);
            assert.ok(time >= steps, `${time} steps with ${beam} beams`);
          }
        }
      }
    };
    await withModel('llama', texts, {}, undefined, { max_position_embeddings: 4096 });
  });
});

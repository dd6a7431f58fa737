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
  const longestMicroseconds = 80_000; // of the processor, the collector and other threads included

  /** Maximum processor time between two ticks of an interval during use(), in microseconds. */
  async function longestGap(use) {
    let before = process.cpuUsage();
    let longest = 0;
    const tick = () => {
      const { user, system } = process.cpuUsage(before);
      longest = Math.max(longest, user + system);
      before = process.cpuUsage();
    };
    const ticking = setInterval(tick, 1);
    await use();
    tick();
    clearInterval(ticking);
    return longest;
  }

  it('run during generation, with a signal and without', async () => {
    const many = { max_position_embeddings: 4096 };
    const texts = async (model) => {
      for (const [beam, maxTokens] of [
        [1, 4000],
        [64, 300],
      ]) {
        for (const signal of [undefined, new AbortController().signal]) {
          const options = { beam, maxTokens, signal };
          const before = process.cpuUsage();
          const gap = await longestGap(() => all(model.generate({ ids: [1] }, options)));
          const { user, system } = process.cpuUsage(before);
          assert.ok(gap < longestMicroseconds, `${gap} µs of ${user + system} with ${beam} beams`);
          assert.ok(user + system > 2 * longestMicroseconds, 'it takes too short to show anything');
        }
      }
    };
    await withModel('llama', texts, {}, undefined, many);
  });
});

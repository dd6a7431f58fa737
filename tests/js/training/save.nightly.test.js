// Saved models in PyTorch: a loader that follows transformers' names gives the logits of run() in float64.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { writeSafetensors } from 'attention-wasm/safetensors';
import { loadTraining } from 'attention-wasm/training';
import { explainDifference } from '../../support/js/compare.js';
import { pythonWith } from '../../support/js/python.js';
import { reverseSizes, trainReverse } from '../../support/js/training_runs.js';
import { stepOptions, trainingBatch } from '../../../web/tasks/rows.js';
import { tasks } from '../../../web/tasks/tasks.js';

const { TrainableTransformer } = await loadTraining();
const program = fileURLToPath(new URL('saved_logits.py', import.meta.url));

const python = pythonWith('torch');
const skip = python ? false : 'no PyTorch: install python3-torch';

function writeModel(model, folder) {
  const { config, weights } = model.save();
  writeFileSync(join(folder, 'config.json'), JSON.stringify(config));
  const file = writeSafetensors(weights, { metadata: { format: 'pt' } });
  writeFileSync(join(folder, 'model.safetensors'), file);
}

/** The logits of the model in a folder, by PyTorch. */
function logitsInPython(folder, input) {
  const { status, stdout, stderr } = spawnSync(python, [program, folder, JSON.stringify(input)], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

function assertSame(model, folder, { ids, ...others }) {
  const expected = logitsInPython(folder, { ids, ...others });
  const largest = expected.data.reduce((max, logit) => Math.max(max, Math.abs(logit)), 0);
  // A logit is a sum over the width after some layers: 100 roundings of the largest one.
  const tolerance = 100 * 2 ** -24 * largest;
  assert.equal(explainDifference(model.run(ids, others).logits, expected, tolerance), '');
}

describe('a saved model in PyTorch', { skip, timeout: 300_000 }, () => {
  const folderOf = (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'attention-wasm-saved-'));
    t.after(() => rmSync(folder, { recursive: true }));
    return folder;
  };

  const decoder = { kind: 'decoder', vocabulary: 5, width: 12, layers: 2, heads: 3, context: 6 };
  const decoderBatch = { ids: [[0, 1, 2, 3], [3]], targets: [[1, 2, 4, 0], [0]] };
  const kinds = {
    'decoder, tied': { ...decoder, hidden: 20 },
    'decoder, untied': { ...decoder, tied: false },
    'encoder-decoder': { ...reverseSizes, layers: 2 },
    'decoder, scale 1': { ...decoder, scale: 1 },
    'encoder-decoder, scale 1': { ...reverseSizes, scale: 1 },
  };
  for (const [name, sizes] of Object.entries(kinds)) {
    it(`has the logits of run(): ${name}`, (t) => {
      const model = new TrainableTransformer(sizes);
      const hasEncoder = sizes.kind === 'encoder-decoder';
      if (hasEncoder) trainReverse(model, 0, 200);
      for (let step = 0; step < 200 && !hasEncoder; step++) {
        model.step(decoderBatch, { learningRate: 0.01, weightDecay: 0.1 });
      }
      const folder = folderOf(t);
      writeModel(model, folder);
      if (hasEncoder) {
        assertSame(model, folder, { ids: [2, 3, 4, 11, 5], decoderIds: [1, 5, 11, 4] });
        assertSame(model, folder, { ids: [7], decoderIds: [1, 7, 2, 3, 4, 5, 6, 8] });
      } else {
        assertSame(model, folder, { ids: [0, 1, 2, 3, 4, 0] });
        assertSame(model, folder, { ids: [4] });
      }
    });
  }

  it('sorts digits as it learned to', (t) => {
    const { sizes, tokens, learningRate } = tasks.sort;
    const model = new TrainableTransformer({ ...sizes, vocabulary: tokens.length, seed: 1 });
    for (let step = 1; step <= 300; step++) {
      model.step(trainingBatch(tasks.sort, 1, step), stepOptions(step, learningRate));
    }
    const folder = folderOf(t);
    writeModel(model, folder);
    const digits = [2, 0, 1, 1, 2, 0];
    const sorted = [...digits].sort();
    for (let n = 0; n < sorted.length; n++) {
      const { data, dims } = logitsInPython(folder, { ids: [...digits, ...sorted.slice(0, n)] });
      const last = data.slice(-dims[1]);
      assert.equal(last.indexOf(Math.max(...last)), sorted[n], `digit ${n}`);
    }
  });
});

// A training run of the page: the same for a seed, back to any step, and tested on rows that it never saw.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadModel } from 'attention-wasm/models';
import { loadTraining } from 'attention-wasm/training';
import { ownSettings } from '../../../web/demo/learn_settings.js';
import { createRun } from '../../../web/demo/worker/learn/run.js';
import { createSnapshots } from '../../../web/demo/worker/learn/snapshots.js';
import { testBatch, trainingBatch } from '../../../web/tasks/rows.js';
import { tasks } from '../../../web/tasks/tasks.js';

const training = await loadTraining();
const small = (task, more) => ({ ...ownSettings(task), width: 16, ...more });

function trained(settings, steps) {
  const run = createRun(training, settings);
  while (run.steps() < steps) run.train();
  return run;
}

/** The folder that loadModel() reads. */
const folderOf = (files) => ({
  name: 'trained',
  getFileHandle: async (name) => {
    if (!Object.hasOwn(files, name)) throw new DOMException('none', 'NotFoundError');
    return { getFile: async () => new File([files[name]], name) };
  },
  getDirectoryHandle: async () => {
    throw new DOMException('none', 'NotFoundError');
  },
});

describe('a training run', () => {
  for (const task of Object.keys(tasks)) {
    it(`of ${task} is the same for a seed, and another for another`, () => {
      const [one, same, other] = [1, 1, 2].map((seed) => trained(small(task, { seed }), 3));
      assert.deepEqual(one.losses, same.losses);
      assert.deepEqual(one.look(), same.look());
      assert.notDeepEqual(one.losses, other.losses);
      for (const run of [one, same, other]) run.delete();
    });

    it(`of ${task} shows every head of its example, rows that sum to 1`, () => {
      const run = trained(small(task, { layers: 2, heads: 4 }), 0);
      const { input, output, expected, parts } = run.look();
      assert.equal(output.length, expected.length);
      assert.ok(input.length > 0);
      for (const { part, rows, columns, heads, weights } of parts) {
        assert.equal(heads, 4);
        assert.equal(weights.length, heads * rows.length * columns.length, part);
        for (let row = 0; row < heads * rows.length; row++) {
          const own = weights.subarray(row * columns.length, (row + 1) * columns.length);
          const sum = own.reduce((total, weight) => total + weight, 0);
          assert.ok(Math.abs(sum - 1) < 1e-5, `${part}: ${sum}`);
        }
      }
      run.delete();
    });
  }

  for (const task of ['reverse', 'sort', 'pairs']) {
    it(`of ${task} shows what the model writes by itself, and its weights while it does`, async () => {
      for (const steps of [0, 4]) {
        const settings = small(task, { seed: 3 });
        const run = createRun(training, settings, 'tea = TEA\ncup = CUP');
        while (run.steps() < steps) run.train();
        const { input, output, expected, parts } = run.look();
        const model = await loadModel(folderOf(run.files()));
        run.delete();
        const ids = model.tokenizer.encodePlain(input.join(''));
        const isDecoder = task === 'sort';
        const given = isDecoder ? ids : [model.config.decoder_start_token_id];
        const spelled = (id) => model.tokenizer.decode([id]);
        const written = [];
        let result;
        while (written.length < expected.length) {
          const own = [...given, ...written];
          const all = isDecoder ? { ids: own } : { ids, decoderIds: own };
          result = model.run(all, { attentions: true });
          const last = result.logits.data.subarray(-result.logits.dims[1]);
          written.push(last.indexOf(Math.max(...last)));
        }
        assert.notDeepEqual(written.map(spelled), expected, 'it has not learned the task');
        const end = task === 'pairs' ? written.indexOf(0) + 1 || Infinity : Infinity;
        assert.deepEqual(
          output,
          written.slice(0, end).map((id) => (id === 0 && !isDecoder ? '<s>' : spelled(id))),
        );
        const { self, cross } = result.attentions;
        const [{ weights }] = parts;
        const { data } = (isDecoder ? self : cross)[0];
        assert.equal(weights.length, data.length);
        data.forEach((weight, at) => assert.ok(Math.abs(weight - weights[at]) < 1e-5, `${at}`));
        model.delete();
      }
    });
  }

  it('trains on no row that it is tested on', () => {
    // 64 possible rows, so that every row of either set is drawn.
    const row = (random) => ({ ids: Array.from({ length: 3 }, () => Math.floor(random() * 4)) });
    const rowsOf = (batch) => new Set(batch.ids.map(String));
    const [held, trainedOn] = [testBatch({ row }, 1, 2000), trainingBatch({ row }, 1, 1)].map(
      rowsOf,
    );
    for (let step = 2; step <= 60; step++) {
      for (const ids of rowsOf(trainingBatch({ row }, 1, step))) trainedOn.add(ids);
    }
    assert.equal(held.size + trainedOn.size, 64);
    assert.ok(held.size > 8, `${held.size}`);
    for (const ids of held) assert.ok(!trainedOn.has(ids), ids);
  });

  it('has no positions if they are off: the order of what it reads is lost', () => {
    for (const [positions, isLost] of [
      [0, true],
      [1, false],
    ]) {
      const run = trained(small('reverse', { positions }), 5);
      run.goTo(2);
      run.goTo(4);
      const { weights, rows, columns } = run.look().parts[1]; // of the encoder
      // Each row of the encoder gives the same weight to the two equal digits.
      const [first, second] = [columns.indexOf('3'), columns.lastIndexOf('3')];
      assert.ok(first >= 0 && first < second, columns.join(' '));
      const isEqual = rows.every((_, row) => {
        const at = row * columns.length;
        return Math.abs(weights[at + first] - weights[at + second]) < 1e-7;
      });
      assert.equal(isEqual, isLost);
      run.delete();
    }
  });

  it('does not divide its scores by √d if that is off', () => {
    const rowsOf = (divided) => {
      const run = trained(small('repeat', { divided }), 0);
      const { rows, weights } = run.look().parts[0];
      run.delete();
      // Logarithms of weights are scores less one number per row.
      const last = weights.subarray((rows.length - 1) * rows.length, rows.length ** 2);
      return Array.from(last, (weight) => Math.log(weight / last[0]));
    };
    const [undivided, divided] = [rowsOf(0), rowsOf(1)];
    const largest = Math.max(...divided.map(Math.abs));
    assert.ok(largest > 1e-4, `${largest}`);
    for (const [at, score] of divided.entries()) {
      assert.ok(Math.abs(undivided[at] - 4 * score) < 0.02 * largest, `${at}: ${undivided[at]}`);
    }
  });

  it('of repeat shows what nobody can predict as a dot', () => {
    const run = trained(small('repeat'), 0);
    const { input, output, expected } = run.look();
    run.delete();
    const block = input.slice(0, 6);
    assert.equal(new Set(block).size, 6);
    assert.equal(input.length, 17);
    const next = (letter) => block[block.indexOf(letter) + 1];
    expected.forEach((letter, at) => {
      const from = 17 - expected.length + at;
      const isKnown = letter !== '·';
      if (isKnown) assert.equal(letter, next(input[from]), `${at}`);
      if (isKnown && from < 16) assert.equal(letter, input[from + 1], `${at}`);
      assert.equal(output[at] === '·', !isKnown);
    });
    const known = expected.filter((letter) => letter !== '·');
    assert.ok(known.length >= 7, expected.join(''));
  });

  it('goes back to any step, and on with the same bits', () => {
    const run = trained(small('sort'), 7);
    const straight = trained(small('sort'), 12);
    for (const step of [3, 0, 6, 7]) {
      run.goTo(step);
      const fresh = trained(small('sort'), step);
      assert.equal(run.steps(), step);
      assert.deepEqual(run.look(), fresh.look(), `step ${step}`);
      fresh.delete();
    }
    run.goTo(2);
    while (run.steps() < 12) run.train();
    assert.deepEqual(run.losses, straight.losses);
    assert.deepEqual(run.look(), straight.look());
    run.delete();
    straight.delete();
  });
});

describe('snapshots', () => {
  it('are of limited size, each step restored from the latest before it', () => {
    const data = new Float32Array(2 ** 18); // a MiB: at most 32 of them
    const model = {
      steps: 0,
      restored: null,
      snapshot: () => ({ step: model.steps, data }),
      restore: ({ step }) => (model.restored = step),
    };
    const snapshots = createSnapshots(model);
    for (model.steps = 1; model.steps <= 100; model.steps++) snapshots.keep();
    const steps = new Set();
    for (let step = 0; step <= 100; step++) {
      snapshots.restore(step);
      assert.ok(model.restored <= step && step - model.restored < 8, `${step}: ${model.restored}`);
      steps.add(model.restored);
    }
    assert.ok(steps.size > 16 && steps.size <= 32, `${steps.size} snapshots`);
  });
});

describe('the files of a trained model', () => {
  it('are those of a model that writes its example from text', async () => {
    const run = trained(ownSettings('reverse'), 3);
    const model = await loadModel(folderOf(run.files()));
    const { input, output, parts } = run.look();
    const ids = model.tokenizer.encodePlain(input.join(''));
    assert.equal(model.tokenizer.decode(ids), input.join(''));
    const written = output.map((token) => model.tokenizer.encodePlain(token)[0]);
    const decoderIds = [model.config.decoder_start_token_id, ...written.slice(0, -1)];
    const { attentions } = model.run({ ids, decoderIds }, { attentions: true });
    const [cross] = attentions.cross;
    for (const [at, weight] of parts[0].weights.entries()) {
      assert.ok(Math.abs(cross.data[at] - weight) < 1e-5, `${at}: ${cross.data[at]} ${weight}`);
    }
    model.delete();
    run.delete();
  });

  it('are those of a decoder, with the same next token', async () => {
    const run = trained(ownSettings('sort'), 3);
    const model = await loadModel(folderOf(run.files()));
    const { parts } = run.look();
    const text = parts[0].columns.join('');
    const { attentions, tokens } = model.run(text, { attentions: true });
    assert.equal(tokens.join(''), text);
    for (const [at, weight] of parts[0].weights.entries()) {
      assert.ok(Math.abs(attentions.self[0].data[at] - weight) < 1e-5, `${at}`);
    }
    model.delete();
    run.delete();
  });
});

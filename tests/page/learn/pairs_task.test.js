// The reader's own lines as a task.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadTraining } from 'attention-wasm/training';
import { ownSettings } from '../../../web/demo/learn_settings.js';
import { firstPairs, pairsTask, readPairs } from '../../../web/demo/pairs_task.js';
import { createRun } from '../../../web/demo/worker/learn/run.js';
import { trainingBatch } from '../../../web/tasks/rows.js';
import { hostileNames } from '../../support/js/hostile_names.js';

const training = await loadTraining();

describe('pairs of lines', () => {
  it('are what is before and behind the first “=”', () => {
    assert.deepEqual(readPairs(' ab=c \n\n\té 👍 = x = y\r\n'), [
      [['a', 'b'], ['c']],
      [
        ['é', ' ', '👍'],
        ['x', ' ', '=', ' ', 'y'],
      ],
    ]);
    for (const name of hostileNames) {
      assert.deepEqual(readPairs(`${name}=1`), [[[...name], ['1']]]);
    }
  });

  it('are refused with a sentence', () => {
    const refused = {
      '': 'Write lines such as “tea = TEA”',
      ' \n\n': 'Write lines such as “tea = TEA”',
      'a = b\n\ncat': 'Line 3 is not of the form “tea = TEA”',
      '= b': 'Line 1 is not of the form “tea = TEA”',
      'a =': 'Line 1 is not of the form “tea = TEA”',
      [`a = ${'b'.repeat(25)}`]: 'Line 1 has more than 24 characters on a side',
      ['a = b\n'.repeat(201)]: 'There are 201 lines, at most 200 can be learned',
    };
    for (const [text, message] of Object.entries(refused)) {
      assert.throws(() => readPairs(text), { message });
    }
  });

  it('are rows of characters, between two marks', () => {
    const { tokens, rows, sizes, row } = pairsTask('ab = BA\nb = B');
    assert.deepEqual(tokens, ['<s>', 'A', 'B', 'a', 'b']);
    assert.deepEqual(rows, [
      { ids: [3, 4], targets: [2, 1, 0], decoderIds: [0, 2, 1] },
      { ids: [4], targets: [2, 0], decoderIds: [0, 2] },
    ]);
    assert.equal(sizes.context, 3);
    assert.deepEqual([row(() => 0), row(() => 0.99)], rows);
  });

  it('are all trained on', () => {
    const task = pairsTask(firstPairs);
    const seen = new Set();
    for (let step = 1; step <= 20; step++) {
      for (const ids of trainingBatch(task, 1, step).ids) seen.add(String(ids));
    }
    assert.equal(seen.size, task.rows.length);
  });

  it('are learned, also a single one', () => {
    for (const text of ['no = yes', firstPairs]) {
      const run = createRun(training, ownSettings('pairs'), text);
      const { right, of } = run.score();
      assert.ok(right < of);
      assert.equal(of, readPairs(text).length);
      for (let step = 1; step <= 60; step++) run.train();
      assert.ok(run.losses[59] < 0.8 * run.losses[0], `${run.losses[0]} ${run.losses[59]}`);
      const { input, expected } = run.look();
      const [[reads, writes]] = readPairs(text);
      assert.deepEqual([input, expected], [reads, [...writes, '<s>']]);
      assert.match(run.files()['config.json'], /"eos_token_id": 0/);
      run.delete();
    }
  });
});

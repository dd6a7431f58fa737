// The sweep in the store: when it begins, stops and goes; what its messages fill; which word its numbers are of.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choose } from '../../../web/demo/state/changes.js';
import { createStore, initialStore } from '../../../web/demo/state/store.js';
import {
  followSweep,
  isOld,
  lookAtEffect,
  measureAgain,
  sweepQuestionOf,
  swept,
} from '../../../web/demo/state/sweep.js';
import { initialState } from '../../../web/demo/state_fields.js';

const words = ['La', 'voiture', 'rouge'];
const rows = words.map((text, word) => ({ text, word, special: false, start: null }));
const tokens = rows.map((_, at) => [at]);
const picture = {
  ...{ part: 'cross.1', heads: 2, average: false, oneSequence: false, rows, columns: rows },
  ...{ rowTokens: tokens, columnTokens: tokens, stages: { weights: new Float32Array(18) } },
};
const facts = {
  ...{ part: 'cross.1', parts: [{ id: 'cross.1', heads: 2 }], texts: ['a', 'b'], from: 1 },
  ...{ requestedTexts: ['a', 'b'], unfinished: false },
};
const plan = {
  ...{ over: 'heads', whole: 'the translation', logProbabilities: [-1, -1, -1] },
  cells: [0, 1].map((head) => ({ text: `head ${head + 1}`, part: 'cross.1', head, block: '' })),
  targets: words.map((text, at) => ({ text, label: text, tokens: [at] })),
};

/** A store whose picture is shown, with the panel open, and the questions that it asked the worker. */
function opened(chosen = {}, answer = {}) {
  const state = { ...initialState, mode: 'cross', row: 2, column: 0, ...chosen };
  const store = createStore(
    { ...initialStore(state), answer: { picture, facts, inspection: null, ...answer } },
    followSweep,
  );
  const asked = [];
  store.subscribe((now, before) => {
    if (now.asked.sweep !== before.asked.sweep) asked.push(sweepQuestionOf(now));
  });
  return { store, asked, sweep: () => store.get().sweep, isOld: () => isOld(store.get()) };
}

const question = { over: 'heads', part: 'cross.1', row: 2, source: 'model' };
const settle = (store) => store.update((now) => ({ ...now, problem: `${now.problem} ` }));

describe('a sweep', () => {
  it('begins with its panel, and ends with it', () => {
    const { store, asked, sweep } = opened();
    store.update(choose, { sweep: 'heads' });
    assert.deepEqual(asked, [question]);
    store.update(choose, { sweep: 'words' });
    assert.deepEqual(asked.at(-1), { ...question, over: 'words' });
    store.update(choose, { sweep: '' });
    assert.deepEqual([asked.length, asked.at(-1), sweep()], [3, null, null]);
  });

  it('waits for the picture that is due, and needs a model', () => {
    const due = opened({ sweep: 'heads' });
    due.store.update((now) => ({ ...now, awaited: { picture: true, inspection: false } }));
    assert.deepEqual(due.asked, []);
    due.store.update((now) => ({ ...now, awaited: { picture: false, inspection: false } }));
    assert.deepEqual(due.asked, [question]);
    for (const other of [
      opened({ sweep: 'heads', source: 'ngrams' }),
      opened({ sweep: 'heads' }, { picture: null }),
      opened({ sweep: 'heads' }, { facts: { ...facts, fixed: 'A rollout' } }),
      opened({ sweep: 'heads' }, { facts: { ...facts, unfinished: true } }),
    ]) {
      settle(other.store);
      assert.deepEqual([other.asked, other.sweep()], [[], null]);
    }
  });

  it('is filled by its messages, each once', () => {
    const { store, sweep } = opened();
    store.update(choose, { sweep: 'heads' });
    store.update(swept, { plan });
    assert.deepEqual(sweep().cell, { index: 0, target: 2 }, 'the head of the view');
    store.update(swept, { first: 0, runs: [[-2, -2, -2]] });
    store.update(swept, { first: 0, runs: [[-3, -3, -3]] });
    assert.deepEqual(sweep().runs, [[-2, -2, -2]]);
    assert.deepEqual([sweep().isRunning, sweep().isDone], [true, false]);
    store.update(swept, { isDone: true });
    assert.deepEqual([sweep().isRunning, sweep().isDone], [false, true]);
    store.update(swept, { problem: 'late' });
    assert.equal(sweep().why, '');
    store.update(measureAgain);
    store.update(swept, { problem: 'it was stopped' });
    assert.equal(sweep().why, 'It could not be measured: it was stopped.');
    assert.equal(sweep().isRunning, false);
    store.update(measureAgain);
    store.update(swept, { why: 'It predicts nothing.' });
    assert.equal(sweep().why, 'It predicts nothing.');
  });

  it('stops when it is canceled, or when another text comes, whose numbers they are not', () => {
    const { store, asked, sweep, isOld: old } = opened();
    store.update(choose, { sweep: 'heads' });
    store.update(swept, { plan });
    store.update(measureAgain);
    assert.deepEqual([sweep().isRunning, asked.at(-1)], [false, null]);
    store.update(measureAgain);
    assert.deepEqual(asked.at(-1), question);
    store.update(swept, { plan });
    assert.equal(old(), false);
    store.update((now) => ({ ...now, answer: { ...now.answer, facts: { ...facts, from: 2 } } }));
    assert.deepEqual([old(), sweep().isRunning, asked.at(-1)], [true, false, null]);
    assert.equal(sweep().plan, plan, 'the old numbers stay, marked as such');
  });

  it('shows the effects on the selected word, and keeps it where the rows are others', () => {
    const { store, sweep } = opened();
    store.update(choose, { sweep: 'heads' });
    store.update(swept, { plan });
    assert.equal(sweep().target, 2);
    store.update(choose, { row: 1 });
    assert.equal(sweep().target, 1);
    const encoder = { ...picture, part: 'encoder.0' };
    store.update((now) => ({ ...now, answer: { ...now.answer, picture: encoder } }));
    store.update(choose, { row: 0 });
    assert.equal(sweep().target, 1);
    store.update(lookAtEffect, { isWhole: true });
    store.update(measureAgain);
    store.update(measureAgain);
    store.update(swept, { plan });
    assert.deepEqual([sweep().target, sweep().isWhole], [1, true]);
  });
});

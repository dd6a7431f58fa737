// The table of questions: what is asked of the worker while what is shown, once for each key; where answers go; and that
// an answer that is no longer waited for changes nothing.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { askPicture, choose } from '../../../web/demo/state/changes.js';
import { measureHeads, scoresOf } from '../../../web/demo/state/head_scores.js';
import {
  answerOf,
  came,
  follow,
  isWaiting,
  restarted,
  table,
} from '../../../web/demo/state/questions.js';
import { createStore, initialStore } from '../../../web/demo/state/store.js';
import { initialState } from '../../../web/demo/state_fields.js';
import { passQuestions } from '../../../web/demo/page/asking.js';
import { Stopped } from '../../../web/demo/worker/calls.js';

const label = (text) => ({ text, special: false, start: null });
const picture = {
  ...{ part: 'cross.1', heads: 2, average: false, oneSequence: false },
  ...{ rows: ['La', 'voiture'].map(label), columns: ['a', 'car'].map(label) },
  ...{ rowTokens: [[0], [1, 2]], columnTokens: [[0], [1]] },
  stages: { weights: new Float32Array([0.1, 0.9, 0.2, 0.8, 0.3, 0.7, 0.4, 0.6]) },
};
const facts = {
  ...{ part: 'cross.1', parts: [{ id: 'cross.1', heads: 2 }], from: 0, unfinished: false },
  ...{ texts: ['La voiture', 'a car'], requestedTexts: ['', 'a car'], hasNext: true },
};
const inspection = { place: { row: 1 }, request: { row: 1, column: 1, head: 0 } };

/** A store with a picture; `chosen`, and parts of its answer. */
function shown(chosen = {}, answer = {}, more = {}) {
  const state = { ...initialState, mode: 'cross', row: 1, column: 1, ...chosen };
  const store = initialStore(state);
  return { ...store, answer: { picture, facts, inspection, ...answer }, ...more };
}
const due = { awaited: { picture: true, inspection: false } };

/** The questions that a store has asked, by their names. */
const asked = (store) =>
  Object.fromEntries(Object.entries(store.answers).map(([name, { question }]) => [name, question]));

describe('next words', () => {
  it('are asked for once, for the whole word', () => {
    const first = follow(shown());
    assert.deepEqual(asked(first), { nextWords: { token: 1, last: 2 } });
    assert.equal(answerOf(first, 'nextWords').isDue, true);
    assert.equal(follow(first), first);
    const answer = { text: 'La voiture', words: [] };
    const known = came(first, 'nextWords', first.answers.nextWords.key, { answer });
    assert.deepEqual(
      [answerOf(known, 'nextWords').isDue, answerOf(known, 'nextWords').answer],
      [false, answer],
    );
    // Another word: the former words stay until its own have come.
    const other = follow({ ...known, chosen: { ...known.chosen, row: 0 } });
    assert.deepEqual(other.answers.nextWords.question, { token: 0, last: 0 });
    assert.equal(answerOf(other, 'nextWords').isDue, true);
    assert.equal(answerOf(other, 'nextWords').answer, answer);
    assert.equal(came(other, 'nextWords', first.answers.nextWords.key, { answer: null }), other);
    const unfinished = { ...other.answer, facts: { ...facts, unfinished: true } };
    assert.equal(answerOf({ ...other, answer: unfinished }, 'nextWords'), null);
  });

  it('are none while a text is being translated, without a text, in the encoder, and of the picture of the build', () => {
    for (const other of [
      shown({}, { facts: { ...facts, unfinished: true } }),
      shown({}, { picture: null }),
      shown({}, { picture: { ...picture, part: 'encoder.0' } }),
      shown({}, { facts: { ...facts, hasNext: false } }),
      shown({}, { facts: { ...facts, fixed: 'A rollout' } }),
      shown({}, { facts: { ...facts, isPrerendered: true } }),
      shown({}, {}, due),
      shown({ mode: 'learn' }),
    ]) {
      assert.deepEqual(asked(follow(other)), {});
      assert.equal(answerOf(follow(other), 'nextWords'), null);
    }
  });

  it('of the text beside are those at the word beside the selected one', () => {
    const beside = { texts: ['Une voiture'], rowTokens: [[0], []] };
    const compared = { picture: { ...picture, beside } };
    assert.equal(follow(shown({}, compared)).answers.otherWords, undefined, 'no such word');
    const { question } = follow(shown({ row: 0 }, compared)).answers.otherWords;
    assert.deepEqual(question, { token: 0, last: 0, isOther: true });
  });
});

describe('the block', () => {
  const inside = { facts: { ...facts, hasNext: false, hasInside: true } };
  const open = { flow: true, box: 'value', whole: true };

  it('is asked for where it is unfolded, once its number has come, again in another picture', () => {
    assert.deepEqual(asked(follow(shown({ whole: true }, inside))), {}, 'a closed flow');
    assert.deepEqual(asked(follow(shown({ ...open, whole: false }, inside))), {}, 'folded');
    assert.deepEqual(asked(follow(shown({ ...open, box: 'row' }, inside))), {}, 'another box');
    assert.deepEqual(asked(follow(shown(open, { ...inside, inspection: null }))), {});
    assert.deepEqual(asked(follow(shown(open, inside, due))), {});
    const store = follow(shown(open, inside));
    assert.deepEqual(asked(store), { block: 1 });
    assert.equal(isWaiting(store), true);
    const { key } = store.answers.block;
    const failed = came(store, 'block', key, { problem: 'out of memory' });
    assert.equal(isWaiting(failed), false);
    assert.deepEqual(
      [failed.answers.block.answer, failed.answers.block.problem],
      [null, 'out of memory'],
    );
    assert.equal(follow(failed), failed, 'not asked again');
    const other = follow({ ...failed, answer: { ...failed.answer, picture: { ...picture } } });
    assert.notEqual(other.answers.block.key, key);
    const folded = { ...failed, chosen: { ...failed.chosen, whole: false } };
    assert.equal(answerOf(folded, 'block'), null);
  });
});

describe('the effect', () => {
  it('is that of what is blocked, once for the same blocks', () => {
    const blocks = { facts: { ...facts, hasNext: false, blocks: [] } };
    assert.deepEqual(asked(follow(shown({}, blocks))), {});
    const first = follow(shown({ block: 'cross:1-1' }, blocks));
    assert.deepEqual(Object.keys(first.answers), ['effect']);
    const known = came(first, 'effect', first.answers.effect.key, { answer: null });
    assert.deepEqual([known.answers.effect.answer, follow(known)], [null, known]);
    const again = follow({ ...known, chosen: { ...known.chosen, block: 'cross:1' } });
    assert.equal(again.answers.effect.isDue, true);
  });
});

describe('the scores of heads', () => {
  const scored = { facts: { ...facts, hasNext: false, hasScores: true } };
  const scores = (number) => ({
    length: 8,
    scores: { induction: { data: Float32Array.of(number, 0), dims: [1, 2] } },
  });
  const answerNext = (store, what) =>
    follow(came(store, 'headScores', store.answers.headScores.key, what));

  it('are means over four sequences, asked for one after another', () => {
    let store = follow(measureHeads(shown({}, scored)));
    for (const [far, number] of [1, 0, 0.5, 0.25].entries()) {
      assert.deepEqual(asked(store), { headScores: far });
      assert.equal(scoresOf(store).isRunning, true);
      store = answerNext(store, { answer: scores(number) });
    }
    const { isRunning, found } = scoresOf(store);
    assert.equal(isRunning, false);
    assert.deepEqual([found.count, found.length], [4, 8]);
    assert.deepEqual(Array.from(found.means.induction.data), [(1 + 0 + 0.5 + 0.25) / 4, 0]);
  });

  it('end when they are canceled, fail, or another model is shown; measured again they begin anew', () => {
    const begun = follow(measureHeads(shown({}, scored)));
    const canceled = follow(measureHeads(begun));
    assert.equal(scoresOf(canceled).isRunning, false);
    assert.equal(scoresOf(answerNext(canceled, { answer: scores(1) })).found, null);
    const again = follow(measureHeads(canceled));
    assert.notEqual(again.answers.headScores.key, begun.answers.headScores.key);
    const late = came(again, 'headScores', begun.answers.headScores.key, { answer: scores(1) });
    assert.equal(late, again, 'of the measurement before');
    const failed = answerNext(again, { problem: 'out of memory' });
    assert.deepEqual(
      [scoresOf(failed).isRunning, scoresOf(failed).problem],
      [false, 'The heads could not be measured: out of memory.'],
    );
    const other = { ...begun, answer: { ...begun.answer, facts: { ...scored.facts, from: 7 } } };
    assert.equal(scoresOf(other), null);
  });
});

/** A worker whose calls are held: calls: [name, question, on], answer(at, result), fail(at, error). */
function heldWorker() {
  const calls = [];
  const worker = new Proxy(
    {},
    {
      get: (_, name) => (question, on) =>
        new Promise((resolve, reject) => calls.push({ name, question, on, resolve, reject })),
    },
  );
  return { worker, calls };
}
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('questions passed on to the worker', () => {
  it('come with the change that asks them; older pictures are taken, older failures are not', async () => {
    const { worker, calls } = heldWorker();
    const store = createStore(initialStore({ ...initialState, mode: 'cross' }), follow);
    passQuestions(store, worker);
    store.update(askPicture);
    store.update(choose, { french: 'b' });
    assert.deepEqual(
      calls.map(({ name, question }) => [name, question.french]),
      [
        ['show', ''],
        ['show', 'b'],
      ],
    );
    calls[0].on.shown({ isWhole: true, picture, facts, inspection: null });
    assert.equal(store.get().answer.picture, picture, 'an intermediate state');
    assert.equal(store.get().awaited.picture, true);
    calls[0].reject(new Error('out of memory'));
    await turn();
    assert.equal(store.get().problem, '');
    calls[1].reject(new Error('out of memory'));
    await turn();
    assert.match(store.get().problem, /out of memory/);
    assert.equal(store.get().awaited.picture, false);
  });

  it('are asked again of a new worker, but for what the reader asked for once', async () => {
    const { worker, calls } = heldWorker();
    const before = { ...counts, difference: 1, inspection: 1 };
    const store = createStore(shown({}, {}, { asked: before }), follow);
    passQuestions(store, worker);
    store.update((now) => ({ ...now })); // what follows from the store
    const names = calls.map(({ name }) => name).sort();
    assert.deepEqual(names, ['difference', 'inspect', 'nextWords']);
    store.update(restarted);
    for (const { reject } of calls.slice(0, 3)) reject(new Stopped());
    await turn();
    assert.equal(store.get().problem, '');
    assert.deepEqual(
      calls.slice(3).map(({ name }) => name),
      ['show'],
    );
    calls[3].on.shown({ isWhole: true });
    assert.deepEqual(
      calls.slice(4).map(({ name }) => name),
      ['nextWords'],
    );
  });
});

const counts = { picture: 0, inspection: 0, difference: 0, sweep: 0 };

it('each row has what a question needs', () => {
  for (const [name, { isShown, key, ask }] of Object.entries(table)) {
    for (const one of [isShown, key, ask]) assert.equal(typeof one, 'function', name);
    assert.equal(Boolean(isShown(initialStore({ ...initialState }))), false, name);
  }
});

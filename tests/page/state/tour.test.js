// The tour in the store: what its steps ask of the worker, once each, and what belongs to one step alone.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choose } from '../../../web/demo/state/changes.js';
import { came, follow, isWaiting, restarted } from '../../../web/demo/state/questions.js';
import { initialStore } from '../../../web/demo/state/store.js';
import { blockedIn, costs, goInTour, pickInTour, tourSteps } from '../../../web/demo/state/tour.js';
import { initialState } from '../../../web/demo/state_fields.js';

const tensor = (...dims) => ({
  data: Float32Array.from({ length: dims.reduce((all, one) => all * one, 1) }, (_, at) => at % 3),
  dims,
});
const part = {
  ...{ heads: 2, keyDim: 2, query: tensor(2, 3, 2), key: tensor(2, 3, 2) },
  ...{ x: { rows: tensor(3, 4) }, output: tensor(3, 4), weights: tensor(2, 3, 3) },
};
const lesson = {
  ...{ words: ['a', 'red', 'car'], french: ['une', 'voiture', 'rouge'], layers: { cross: 2 } },
  ...{ encoder: part, cross: part, start: { row: 1, column: 2, head: 1, alignedHead: 0 } },
};

/** A store whose tour shows the step of this id. */
const at = (id, store = initialStore({ ...initialState })) =>
  follow(choose(store, { tour: tourSteps.indexOf(id) }));
const withLesson = (store) =>
  follow(came(store, 'lesson', store.answers.lesson.key, { answer: lesson }));
const answered = (store, answer) => follow(came(store, 'tour', store.answers.tour.key, { answer }));
const pick = (store, place) => follow(pickInTour(store, place));

describe('the lesson of the tour', () => {
  it('is asked for once, and kept when the worker is replaced', () => {
    const first = at('embedding');
    assert.equal(isWaiting(first), true);
    assert.equal(at('place', first).answers.lesson.key, first.answers.lesson.key);
    const known = withLesson(first);
    assert.equal(known.tour.lesson, lesson);
    assert.equal(known.tour.place.reads, 2);
    const later = follow(restarted(known));
    assert.deepEqual([later.tour.lesson, later.answers.lesson], [lesson, undefined]);
  });

  it('is asked for again at another step where it could not come', () => {
    const first = at('embedding');
    const failed = follow(came(first, 'lesson', first.answers.lesson.key, { problem: 'gone' }));
    assert.deepEqual(failed.tour.failed, { step: 1, problem: 'gone' });
    assert.equal(failed.answers.lesson.isDue, false);
    assert.equal(at('place', failed).answers.lesson.isDue, true);
  });
});

describe('a step of the tour', () => {
  it('asks about each price list; the former answer stays until its own has come', () => {
    const first = at('lookup');
    const { lookup } = first.chosen;
    assert.deepEqual(first.answers.tour.question, { about: 'lookup', table: lookup });
    const known = answered(first, { keys: ['tea'] });
    assert.deepEqual(known.tour.found, { table: lookup, answer: { keys: ['tea'] } });
    const table = { ...lookup, query: 'tea' };
    const other = follow(choose(known, { lookup: table }));
    assert.equal(other.answers.tour.question.table, table);
    assert.equal(other.tour.found, known.tour.found);
  });

  it('asks what is likely, then what a blocked link changes, and each once', () => {
    const open = withLesson(at('what-if'));
    assert.deepEqual(open.answers.tour.question, { about: 'words', row: 2 });
    const words = answered(open, ['rouge']);
    assert.equal(words.answers.tour.isDue, false);
    const blocked = pick(words, { isBlocked: true, seen: 1 });
    const link = { part: 'cross.1', row: 2, column: 1 };
    assert.deepEqual(blocked.answers.tour.question, { about: 'blocked', ...link });
    assert.equal(blockedIn(lesson, blocked.tour), undefined);
    const all = answered(blocked, { block: 'all' });
    assert.deepEqual(blockedIn(lesson, all.tour), { block: 'all' });
    const one = pick(all, { isOneHead: true });
    const where = { layer: 1, head: 0 };
    assert.deepEqual(one.answers.tour.question, { about: 'blocked', ...link, ...where });
    const again = pick(answered(one, { block: 'one' }), { isOneHead: false });
    assert.deepEqual(blockedIn(lesson, again.tour), { block: 'all' });
    assert.equal(again.answers.tour.isDue, false);
  });

  it('measures one length after another, and goes on where it was left', () => {
    let store = at('cost');
    const asked = [];
    while (store.answers.tour.isDue) {
      asked.push(store.answers.tour.question.length);
      store = answered(store, { softmax: 1, linear: 1 });
      if (asked.length === 2) store = at('cost', follow(restarted(at('cross', store))));
    }
    assert.deepEqual(asked, costs.lengths);
  });

  it('begins without a chosen number of another step, and with nothing blocked', () => {
    const store = pick(withLesson(at('what-if')), {
      at: { of: 'after' },
      isBlocked: true,
      seen: 0,
    });
    const { tour } = follow(goInTour(store, 'cross', { reads: 1 }));
    assert.equal(tourSteps[tour.step], 'cross');
    const { place } = tour;
    assert.deepEqual([place.at, place.isBlocked, place.reads, place.seen], [null, false, 1, 0]);
    assert.equal(follow(choose(store, { tour: null })).tour.step, null);
  });
});

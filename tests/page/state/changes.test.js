// The store of the page: what readers do and what the worker answers change it, and nothing else does; what is asked of
// the worker follows from it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  answered,
  differenceFound,
  failed,
  inspected,
  loading,
} from '../../../web/demo/state/answers.js';
import {
  askPicture,
  cancelPicture,
  choose,
  point,
  read,
  select,
  spellOut,
  startExample,
  type,
} from '../../../web/demo/state/changes.js';
import {
  awaitedModel,
  inspectedPlace,
  inspectionOf,
  isAwaiting,
  placeOf,
  shownMode,
  sourceOf,
} from '../../../web/demo/state/derived.js';
import { restarted } from '../../../web/demo/state/questions.js';
import { createStore, initialStore } from '../../../web/demo/state/store.js';
import { initialState } from '../../../web/demo/state_fields.js';

/** A picture of a text: every word looks at the next one, the last at the first. */
function pictureOf(text, more = {}) {
  const words = text.split(' ');
  let start = 0;
  const rows = words.map((word, index) => {
    const label = { text: word, word: index, special: false, start, end: start + word.length };
    start += word.length + 1;
    return label;
  });
  const n = words.length;
  const weights = new Float32Array(n * n);
  words.forEach((_, row) => (weights[row * n + ((row + 1) % n)] = 1));
  const tokens = words.map((_, at) => [at]);
  return {
    ...{ part: 'encoder.0', heads: 1, average: false, oneSequence: true, stages: { weights } },
    ...{ rows, columns: rows, rowTokens: tokens, columnTokens: tokens, ...more },
  };
}

const factsOf = (text, more = {}) => ({
  ...{
    part: 'encoder.0',
    parts: [
      { id: 'encoder.0', heads: 1 },
      { id: 'encoder.1', heads: 4 },
    ],
  },
  ...{ texts: [text, text], requestedTexts: [text, text], unfinished: false, ...more },
});

/** The whole answer to the latest request, for the store's text, with the inspection that belongs to it. */
function answerTo(store, more = {}) {
  const { text } = store.chosen;
  const picture = pictureOf(text);
  const answer = { picture, facts: factsOf(text), ...more };
  const inspection = { request: inspectionOf({ ...store, answer }) };
  return { isLatest: true, isWhole: true, inspection, ...answer };
}

const shows = (text, more = {}) => {
  const store = askPicture(initialStore({ ...initialState, mode: 'self', text, ...more }));
  return answered(store, answerTo(store));
};

const counts = ({ asked: { picture, inspection }, awaited }) => ({
  picture,
  inspection,
  isDue: awaited,
});
const idle = { picture: false, inspection: false };

describe('the store', () => {
  it('cannot be changed while it is shown', () => {
    const store = createStore(shows('a b c'));
    const seen = [];
    store.subscribe((now, before) => seen.push([now.chosen.row, before.chosen.row]));
    store.update(read, 1);
    assert.deepEqual(seen, [[1, null]]);
    store.update(read, 1);
    assert.equal(seen.length, 1, 'an equal store is not shown again');
    store.subscribe(() => store.update(read, 2));
    assert.throws(() => store.update(read, 0), /cannot be changed while it is shown/);
  });
});

describe('what a reader does', () => {
  it('compares with another head at first, unless an alternative was chosen or there is none', () => {
    const store = shows('a b c d');
    const { facts } = store.answer;
    const besideOf = (heads, part) => {
      const parts = [{ id: facts.part, name: '', heads }];
      const answer = { ...store.answer, facts: { ...facts, parts } };
      const before = { ...store, answer, chosen: { ...store.chosen, ...part } };
      return choose(before, { view: 'compare' }).chosen.beside;
    };
    assert.equal(besideOf(4, { head: 0 }), 'head:1');
    assert.equal(besideOf(4, { head: 1 }), 'head:0');
    assert.equal(besideOf(1, { head: 0 }), 'scale:one');
    assert.equal(besideOf(4, { head: 0, beside: 'kind:elu' }), 'kind:elu');
    assert.equal(besideOf(4, { view: 'compare' }), 'scale:one', 'an old link');
  });

  it('asks for a picture where it changes one, for an inspection where it selects, else for nothing', () => {
    const store = shows('a b c d');
    assert.deepEqual(counts(store), { picture: 1, inspection: 0, isDue: idle });
    const due = (now) => [now.asked.picture - 1, now.asked.inspection];
    assert.deepEqual(due(choose(store, { text: 'a b c' })), [1, 0]);
    assert.deepEqual(due(choose(store, { scale: 'one' })), [1, 0]);
    assert.deepEqual(due(choose(store, { view: 'compare' })), [1, 0]);
    assert.deepEqual(due(choose(store, { colors: 'viridis' })), [0, 0]);
    assert.deepEqual(due(choose(store, { stage: 'raw' })), [0, 0]);
    assert.deepEqual(due(choose(store, { mode: 'learn' })), [0, 0]);
    assert.deepEqual(due(read(store, 2)), [0, 1]);
    assert.deepEqual(due(select(store, { column: 3 })), [0, 1]);
    // Columns sorted by the selected row are another picture.
    const sorted = answered(...both(choose(store, { sort: 'read' })));
    assert.deepEqual(due(read(sorted, 2)), [2, 0]);
    // The stage Moved is computed when it is first shown.
    const movable = {
      ...store,
      answer: { ...store.answer, facts: factsOf('a b c d', { canMove: true }) },
    };
    assert.deepEqual(due(choose(movable, { stage: 'moved' })), [1, 0]);
    assert.equal(choose(store, { text: 'a b c d' }), store);
  });

  it('resets what belongs to another text, and a stage that another kind lacks', () => {
    const store = shows('a b c', {
      begin: 'La',
      block: 'encoder:1',
      kind: 'elu',
      stage: 'difference',
    });
    const typed = choose(store, { text: 'a b' }).chosen;
    assert.deepEqual([typed.begin, typed.block], ['', '']);
    assert.equal(choose(store, { source: 'ngrams' }).chosen.block, '');
    assert.equal(choose(store, { head: 0, row: 1 }).chosen.begin, 'La');
    assert.equal(choose(store, { kind: 'softmax' }).chosen.stage, 'weights');
    assert.equal(choose(store, { kind: 'relu' }).chosen.stage, 'difference');
  });

  it('points at positions of the picture only, until something changes', () => {
    const store = shows('a b c');
    const pointed = point(store, { row: 1, column: 2 });
    assert.deepEqual(placeOf(pointed).hovered, { row: 1, column: 2 });
    assert.equal(point(pointed, { row: 1, column: 2 }), pointed);
    assert.equal(placeOf(point(store, { row: 7 })).hovered, undefined);
    assert.equal(read(pointed, 0).hovered, null);
    // A row alone, as in Lines, has the column that it attends to most, by pointer, key and tap alike.
    const ofRow = point(select(store, { row: 2, column: 1 }), { row: 1 });
    assert.deepEqual(placeOf(ofRow).hovered, { row: 1, column: 2 });
    assert.equal(point(ofRow, { row: 1 }), ofRow);
    const chosen = placeOf(select(ofRow, { row: 1 }));
    assert.deepEqual([chosen.row, chosen.column], [1, 2]);
    assert.deepEqual(placeOf(point(store, { column: 0 })).hovered, { column: 0 });
    const empty = initialStore(initialState);
    assert.equal(point(empty, { row: 0 }), empty);
    assert.equal(placeOf(empty), null);
  });

  it('asks again for the inspection of a pair of tokens, and of no other one after a change', () => {
    const store = shows('a b c');
    const spelled = spellOut(store, { row: 2, column: 1 });
    assert.equal(spelled.asked.inspection, 1);
    const request = { head: 0, row: 2, column: 1, isPiece: true };
    assert.deepEqual(inspectionOf(spelled), request);
    const come = inspected(spelled, { isLatest: true, inspection: { request } });
    assert.equal(isAwaiting(come), false);
    assert.equal(spellOut(come, { row: 2, column: 1 }).asked.inspection, 1);
    assert.equal(read(come, 1).piece, null);
  });

  it('inspects the former pair until the numbers of another one have come', () => {
    const store = shows('a b c');
    assert.deepEqual(inspectedPlace(store), { row: 0, column: 1, head: 0 });
    const pointed = point(store, { row: 2, column: 0 });
    assert.deepEqual(inspectedPlace(pointed), { row: 0, column: 1, head: 0 });
    const chosen = read(pointed, 2);
    assert.deepEqual(inspectedPlace(chosen), { row: 0, column: 1, head: 0 });
    const request = inspectionOf(chosen);
    const come = inspected(chosen, { isLatest: true, inspection: { request } });
    assert.deepEqual(inspectedPlace(come), { row: 2, column: 0, head: 0 });
    // Without an inspection, as before the model is loaded.
    const { row, column } = inspectedPlace({
      ...chosen,
      answer: { ...chosen.answer, inspection: null },
    });
    assert.deepEqual([row, column], [2, 0]);
  });

  it('selects the word of an example when its picture is whole', () => {
    const example = { mode: 'self', first: 'x y z', read: 'y' };
    const started = startExample(shows('a b c'), example);
    assert.deepEqual([started.chosen.text, started.chosen.row], ['x y z', null]);
    const partial = answered(started, {
      ...answerTo(started),
      isWhole: false,
      facts: factsOf('x y z', { unfinished: true }),
    });
    assert.equal(partial.chosen.row, null);
    assert.equal(partial.answer, started.answer, 'drafts of its translation are not shown');
    const whole = answered(started, answerTo(started));
    assert.equal(whole.chosen.row, 1);
    assert.equal(whole.example, null);
    assert.deepEqual(placeOf(whole).column, 2, 'the word that it looks at most');
    assert.equal(
      startExample(whole, { ...example, read: 'z' }).chosen.row,
      2,
      'of the picture that is there',
    );
    const left = choose(started, { text: 'other' });
    assert.equal(answered(left, answerTo(left)).chosen.row, null, 'another text came between');
    // As after Back.
    const again = choose(left, { text: 'x y z', row: 0, column: 2 });
    assert.equal(answered(again, answerTo(again)).chosen.row, 0);
  });

  it('tells typed texts from others', () => {
    const store = shows('a b c');
    const typed = type(store, { text: 'a b' });
    assert.deepEqual([store.isTyped, typed.isTyped, typed.chosen.text], [false, true, 'a b']);
    assert.equal(type(typed, { text: 'a b' }), typed);
    assert.equal(startExample(typed, { mode: 'self', first: 'x y' }).isTyped, false);
    assert.equal(choose(typed, { text: 'c' }).isTyped, false);
  });
});

describe('a picture that takes long', () => {
  const asking = askPicture(initialStore({ ...initialState, mode: 'self', text: 'red car' }));

  it('can be canceled: nothing is awaited, and the next change asks again', () => {
    const canceled = cancelPicture(asking);
    assert.deepEqual(canceled.awaited, { picture: false, inspection: false });
    assert.match(canceled.problem, /^The computation was canceled\./);
    assert.equal(canceled.asked.stop, asking.asked.stop + 1);
    assert.equal(canceled.answer, asking.answer);
    const again = choose(canceled, { text: 'red cars' });
    assert.equal(again.asked.picture, asking.asked.picture + 1);
    assert.equal(again.awaited.picture, true);
    assert.equal(cancelPicture(canceled), canceled);
  });

  it('may still come when it is canceled', () => {
    const picture = pictureOf('red car');
    const facts = factsOf('red car');
    const answer = { isLatest: true, isWhole: true, picture, facts, inspection: null };
    const came = answered(cancelPicture(asking), answer);
    assert.deepEqual([came.answer.picture, came.problem], [picture, '']);
  });
});

describe('a long text of the reader’s model', () => {
  const store = initialStore({
    ...{ ...initialState, mode: 'self', source: 'own', text: 'red car' },
    ...{ readFrom: 0, block: 'self:1-1', row: 3, column: 4 },
  });
  const chosenAfter = (...parts) => parts.reduce(choose, store).chosen;

  it('is read on with no place and no block of the part before', () => {
    const { readFrom, block, row, column } = chosenAfter({ readFrom: 510 });
    assert.deepEqual([readFrom, block, row, column], [510, '', null, null]);
  });

  it('is read from its beginning after another text, source or mode', () => {
    for (const part of [{ text: 'tea' }, { source: 'model' }, { mode: 'cross' }]) {
      assert.equal(chosenAfter({ readFrom: 510 }, part).readFrom, 0, JSON.stringify(part));
    }
    assert.equal(chosenAfter({ readFrom: 510 }, { view: 'heads' }).readFrom, 510);
    assert.equal(chosenAfter({ text: 'tea', readFrom: 7 }).readFrom, 7);
  });
});

describe('the switch of modes', () => {
  it('shows the attention that is in the picture', () => {
    const chosen = { ...initialState, mode: 'cross', text: 'a b' };
    const store = askPicture(initialStore(chosen));
    const after = (now, part) =>
      answered(
        now,
        answerTo(now, { facts: factsOf('a b', { part, parts: [{ id: part, heads: 1 }] }) }),
      );
    assert.equal(shownMode(store), 'cross');
    assert.equal(shownMode(after(store, 'cross.1')), 'cross');
    for (const part of ['encoder.1', 'decoder.0', 'encoder.rollout']) {
      const asked = choose(after(store, 'cross.1'), { part });
      assert.equal(shownMode(asked), 'self', part);
      const there = after(asked, part);
      assert.equal(shownMode(there), 'self', part);
      assert.equal(shownMode(choose(there, { part: '' })), 'cross', 'before its picture has come');
      assert.equal(shownMode(choose(there, { mode: 'self' })), 'self');
    }
    // A layer that the model does not have.
    const gone = choose(store, { part: 'encoder.99' });
    assert.equal(shownMode(after(gone, 'cross.1')), 'cross');
    const spelled = after(choose(store, { source: 'ngrams' }), 'encoder.0');
    assert.equal(shownMode(spelled), 'cross', 'of vectors that have no stacks');
  });
});

describe('an example of two texts', () => {
  const famous = { mode: 'self', first: 'x y z', read: 'y', other: 'x y w' };
  const place = { part: 'encoder.1', head: 3, row: 1, column: 2 };
  const started = startExample(shows('a b c'), famous);
  const whole = answered(started, answerTo(started));

  it('asks for the strongest difference when its picture is whole, and opens there', () => {
    assert.equal(started.asked.difference, 0);
    assert.equal(whole.asked.difference, 1);
    const { picture } = whole.answer;
    const found = differenceFound(whole, { picture, place });
    const { part, head, row, column, average, view, otherText } = found.chosen;
    assert.deepEqual({ part, head, row, column }, place);
    assert.deepEqual([average, view, otherText], [false, 'compare', 'x y w']);
    assert.equal(found.awaited.picture, true);
    assert.equal(differenceFound(whole, { picture, place: null }), whole);
    const left = choose(whole, { text: 'other' });
    const next = answered(left, answerTo(left));
    assert.equal(differenceFound(next, { picture, place }), next, 'another text came between');
  });

  it('is taken back by another example, whatever view the reader went to', () => {
    const found = differenceFound(whole, { picture: whole.answer.picture, place });
    for (const view of ['compare', 'lines']) {
      const seen = choose(found, { view });
      const { chosen } = startExample(seen, { mode: 'self', first: 'a b', read: 'b' });
      const wanted = { ...initialState, mode: 'self', text: 'a b' };
      assert.deepEqual(chosen, { ...wanted, ...(view === 'lines' && { view }) });
    }
    const own = choose(shows('a b c'), { view: 'compare', beside: 'scale:one', head: 2 });
    const { view, beside, head } = startExample(own, { mode: 'self', first: 'a b' }).chosen;
    assert.deepEqual([view, beside, head], ['compare', 'scale:one', 2], 'a comparison of scales');
  });
});

const both = (store, more) => [store, answerTo(store, more)];

describe('an answer', () => {
  it('ends the waiting if it is the last one to the latest request', () => {
    const store = choose(shows('a b c'), { text: 'a b c d' });
    assert.equal(store.awaited.picture, true);
    const old = answered(store, { ...answerTo(store), isLatest: false });
    assert.equal(old.awaited.picture, true);
    assert.equal(old.answer.picture.rows.length, 4, 'an intermediate state');
    const partial = answered(store, { ...answerTo(store), isWhole: false });
    assert.equal(partial.awaited.picture, true);
    assert.deepEqual(answered(...both(store)).awaited, idle);
    // The same picture is not sent twice.
    const same = answered(askPicture(old), { isLatest: true, isWhole: true });
    assert.equal(same.answer.picture, old.answer.picture);
    assert.deepEqual(same.awaited, idle);
  });

  it('keeps the selected words selected, and asks for the inspection that it lacks', () => {
    const selected = read(shows('the red car'), 1);
    const typed = choose(selected, { text: 'see the red car' });
    const { isLatest, isWhole, picture, facts } = answerTo(typed);
    const other = { request: { head: 0, row: 0, column: 1, isPiece: false } };
    const now = answered(typed, { isLatest, isWhole, picture, facts, inspection: other });
    assert.equal(picture.rows[placeOf(now).row].text, 'red');
    assert.equal(now.asked.inspection, typed.asked.inspection + 1);
    const gone = choose(selected, { text: 'the car' });
    assert.equal(answered(...both(gone)).chosen.row, null);
    // A position that was set for the new picture stays.
    for (const part of [{ begin: 'The' }, { text: 'the [MASK] car' }]) {
      const placed = choose(selected, { ...part, row: 1, column: null });
      assert.equal(answered(...both(placed)).chosen.row, 1);
    }
  });

  it('of partial results does not replace the ready picture of the same texts', () => {
    const chosen = { ...initialState, mode: 'self', text: 'a b' };
    const ready = { picture: pictureOf('a b'), facts: factsOf('a b', { isPrerendered: true }) };
    const store = askPicture(initialStore(chosen, ready));
    assert.equal(answered(store, { ...answerTo(store), isWhole: false }), store);
    assert.equal(
      failed(store, { message: 'no network', isOfPicture: true }).answer.picture,
      ready.picture,
    );
    const whole = answered(...both(store));
    assert.notEqual(whole.answer.picture, ready.picture);
    const typed = choose(store, { text: 'a b c' });
    // Another text waits for the worker and its model, also before either has reported anything.
    assert.equal(awaitedModel(store), null);
    assert.equal(awaitedModel(typed).text, 'Loading the model');
    assert.equal(awaitedModel(loading(typed, { text: 'Loading: 7 %' })).text, 'Loading: 7 %');
    assert.equal(awaitedModel(answered(...both(typed))), null);
    assert.notEqual(
      answered(typed, { ...answerTo(typed), isWhole: false }).answer.picture,
      ready.picture,
    );
  });

  it('that is an error leaves nothing of the picture before', () => {
    const store = choose(shows('a b c'), { text: '!' });
    const wrong = failed(store, { message: 'ids[0] is 12', isOfPicture: true });
    assert.deepEqual(wrong.answer, { picture: null, facts: null, inspection: null });
    assert.equal(wrong.problem, 'Nothing can be computed here: ids[0] is 12.');
    assert.deepEqual(wrong.awaited, idle);
    assert.equal(read(wrong, 1), wrong);
    const again = choose(wrong, { text: 'a b' });
    assert.equal(answered(...both(again)).problem, '');
    // A question about the picture that fails leaves it.
    const asked = read(shows('a b c'), 1);
    assert.equal(
      failed(asked, { message: 'no', isOfPicture: false }).answer.picture,
      asked.answer.picture,
    );
  });

  it('keeps the sources; a new worker is asked for the picture', () => {
    const store = { ...shows('a b'), sources: [{ id: 'model' }, { id: 'ngrams' }] };
    assert.equal(sourceOf(store).id, 'model');
    assert.equal(sourceOf(choose(store, { source: 'ngrams' })).id, 'ngrams');
    assert.equal(sourceOf(choose(store, { source: 'gone' })).id, 'model');
    const anew = restarted(read(store, 1));
    assert.deepEqual(anew.awaited, { picture: true, inspection: false });
    assert.equal(anew.asked.picture, store.asked.picture + 1);
  });
});

// Play in the store: the steps of a translation, and what ends it.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { choose, point } from '../../../web/demo/state/changes.js';
import {
  canWrite,
  endPlaying,
  pausePlaying,
  startPlaying,
  stepPlaying,
  stepWord,
} from '../../../web/demo/state/playing.js';
import { initialStore } from '../../../web/demo/state/store.js';
import { openingState } from '../../../web/demo/state_fields.js';

const labels = (text) =>
  text.split(' ').map((one, at) => ({ text: one, word: at, special: false, start: 0, end: 0 }));
const picture = {
  ...{ part: 'cross.1', heads: 1, oneSequence: false, hidden: null },
  ...{ rows: labels('La voiture'), columns: labels('The red car') },
  ...{ rowTokens: [[0], [1]], columnTokens: [[0], [1], [2]] },
  stages: { weights: Float32Array.of(0.8, 0.1, 0.1, 0, 0.1, 0.9) },
};
const facts = { parts: [{ id: 'cross.1', heads: 1 }], part: 'cross.1' };
const store = initialStore(openingState, { picture, facts });
const farOf = ({ playing, hovered }) =>
  playing && [playing.written, playing.isAiming, hovered?.row ?? null, hovered?.column ?? null];

describe('Play in the store', () => {
  it('begins empty, points at each row, then writes it, and ends as it began', () => {
    const seen = [];
    let now = startPlaying(store, true);
    while (now.playing) {
      seen.push(farOf(now));
      now = stepPlaying(now);
    }
    assert.deepEqual(seen, [
      [0, false, null, null],
      [0, true, 0, 0],
      [1, false, 0, 0],
      [1, true, 1, 2],
      [2, false, 1, 2],
    ]);
    assert.deepEqual(now, store);
  });

  it('steps by whole words', () => {
    const first = stepWord(store);
    assert.deepEqual(farOf(first), [1, false, 0, 0]);
    assert.equal(first.playing.isRunning, false);
    assert.deepEqual(farOf(stepWord(first)), [2, false, 1, 2]);
    assert.deepEqual(stepWord(stepWord(first)), store);
  });

  it('stops and goes on, and ends with what the reader chooses', () => {
    const playing = stepPlaying(startPlaying(store, true));
    assert.equal(pausePlaying(playing).playing.isRunning, false);
    assert.deepEqual(pausePlaying(pausePlaying(playing)), playing);
    assert.equal(point(playing, { row: 1 }), playing, 'the pointer changes nothing');
    assert.deepEqual(endPlaying(playing), store);
    assert.equal(choose(playing, { view: 'heads' }).playing, null);
    for (const change of [pausePlaying, endPlaying, stepPlaying])
      assert.equal(change(store), store);
  });

  it('is there where a model writes one text while it looks at another', () => {
    assert.equal(canWrite(store), true);
    const one = {
      ...store,
      answer: { ...store.answer, picture: { ...picture, oneSequence: true } },
    };
    assert.equal(startPlaying(one, true), one);
    assert.equal(canWrite({ ...store, chosen: { ...store.chosen, source: 'ngrams' } }), false);
    assert.equal(canWrite({ ...store, answer: { picture: null } }), false);
  });
});

// Rows while something is blocked: a word that is no longer written keeps its row, and the others their places.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keptRows, withKeptRows } from '../../../web/demo/page/what_if/kept_rows.js';

const labels = (text) => text.split(' ').map((word, at) => ({ text: word, word: at }));
/** Each row as text: ~gone~, *new*, or ~before~*new*. */
const kept = (before, now) =>
  keptRows(labels(now), labels(before))
    ?.map(({ row, was, isNew }) => {
      const word = row === null ? '' : now.split(' ')[row];
      return `${was ? `~${was.text}~` : ''}${isNew ? `*${word}*` : word}`;
    })
    .join(' ');

describe('rows that are kept', () => {
  it('are those of both texts: what is gone, and what stands in its place', () => {
    assert.equal(
      kept('La voiture rouge est devant', 'La voiture est devant'),
      'La voiture ~rouge~ *est* devant',
    );
    assert.equal(kept('une voiture rouge', 'une voiture verte'), 'une voiture ~rouge~*verte*');
    assert.equal(kept('a b c', 'a b'), 'a b ~c~');
    assert.equal(kept('a c', 'a b c'), 'a *b* c');
    assert.equal(kept('a b c d', 'x d'), '~a~*x* ~b~ ~c~ *d*');
  });

  it('are none where the words are the same, or nothing was written before', () => {
    assert.equal(kept('a b', 'a b'), undefined);
    assert.equal(keptRows(labels('a b')), null);
  });

  const rows = labels('La voiture est');
  const picture = {
    ...{ rows, columns: labels('The car'), heads: 2 },
    stages: { weights: Float32Array.of(1, 2, 3, 4, 5, 6, 10, 20, 30, 40, 50, 60) },
    hidden: null,
    blocked: Uint8Array.of(0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0),
  };
  const whole = withKeptRows(picture, keptRows(rows, labels('La voiture rouge est')));

  it('have no weights where their word is gone, in every head', () => {
    const { weights } = whole.picture.stages;
    assert.deepEqual(Array.from(weights), [1, 2, 3, 4, 0, 0, 5, 6, 10, 20, 30, 40, 0, 0, 50, 60]);
    assert.deepEqual(Array.from(whole.picture.hidden), [0, 0, 0, 0, 1, 1, 0, 0]);
    assert.deepEqual(Array.from(whole.picture.blocked), [
      0,
      0,
      0,
      0,
      0,
      0,
      0,
      1,
      ...Array(8).fill(0),
    ]);
    assert.equal(whole.picture.rows[2].text.normalize('NFD').replaceAll('\u0336', ''), 'rouge');
    const scores = { ...picture, stages: { ...picture.stages, raw: picture.stages.weights } };
    const { stages } = withKeptRows(scores, keptRows(rows, labels('La voiture rouge est'))).picture;
    assert.deepEqual(Array.from(stages.raw.subarray(4, 6)), [-Infinity, -Infinity]);
  });

  it('lead to the rows of the picture, and are passed by arrow keys', () => {
    assert.deepEqual([0, 1, 2].map(whole.toKept), [0, 1, 3]);
    assert.deepEqual(
      [0, 1, 2, 3].map((at) => whole.toOwn(at, 0)),
      [0, 1, 2, 2],
    );
    assert.equal(whole.toOwn(2, 2), 1, 'up, from the row after the one that is gone');
    const last = withKeptRows(picture, keptRows(rows, labels('La voiture est rouge')));
    assert.equal(last.toOwn(3, 2), 2);
  });

  it('are those of the picture where none is gone', () => {
    assert.equal(withKeptRows(picture, keptRows(rows, labels('La voiture sont'))), null);
    assert.equal(withKeptRows(picture, null), null);
  });
});

// Blocks at a cell of the map, as the text of the state; and the differences of two texts.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  actionsFor,
  headAction,
  linkAction,
  reachesOf,
  wordAction,
} from '../../../web/demo/page/what_if/actions.js';
import { changedWords } from '../../../web/demo/page/what_if/changed_words.js';

const label = (text, word) => ({ text, word, special: false });
const marks = { text: 'marks', word: null, special: false };
// “éléphant” is drawn as its two pieces, “elephant” as one word of two.
const picture = {
  ...{ part: 'cross.1', heads: 4, average: false },
  rows: [label('L’', 0), label('éléph', 1), label('ant', 1)],
  columns: [label('The', 0), label('elephant', 1), marks],
  ...{ rowTokens: [[0], [1], [2]], columnTokens: [[0], [1, 2], [3, 4]] },
};
const facts = { parts: [{ id: 'cross.1', heads: 4, name: 'Cross-attention, layer 2' }] };
const at = (more, state = {}) => ({
  ...{ picture, facts, row: 2, column: 1, head: 3, ...more },
  state: { view: 'matrix', block: '', ...state },
});
const says = (where) => actionsFor(where).map((one) => one.says);

describe('what can be blocked', () => {
  it('is the link of what is drawn in all layers and heads, in one layer, or in one head', () => {
    const blocks = ['all', 'layer', 'head'].map((reach) => linkAction(at(), reach).block);
    assert.deepEqual(blocks, ['cross:2-1.2', 'cross.1:2-1.2', 'cross.1.3:2-1.2']);
    assert.equal(linkAction(at({ column: 2 })).block, 'cross:2-3.4');
    assert.equal(linkAction(at({ column: undefined })), null);
    for (const where of [
      at({}, { view: 'lines' }),
      at({ picture: { ...picture, average: true } }),
    ]) {
      assert.equal(linkAction(where, 'head'), null, 'no single head is shown');
    }
  });

  it('is allowed again wherever it is hidden in this cell', () => {
    const blocked = at({}, { block: 'cross.1:1.2-1.2,encoder:0,cross.0:1-1' });
    const again = linkAction(blocked);
    assert.deepEqual([again.isUndo, again.block], [true, 'encoder:0,cross.0:1-1']);
    assert.equal(linkAction(blocked, 'layer'), null);
    // A single token of a word, drawn again as a part of it: the word is not blocked, and the map does not say so.
    const some = linkAction(at({}, { block: 'cross:2-1' }));
    assert.deepEqual([some.isUndo, some.block], [undefined, 'cross:2-1,cross:2-1.2']);
    const each = linkAction(at({}, { block: 'cross:2-1,cross:2-2' }));
    assert.deepEqual([each.isUndo, each.block], [true, '']);
  });

  it('is a single token of a word whose pieces are drawn apart', () => {
    const columns = [label('ele', 1), label('phant', 1)];
    const apart = { ...picture, columns, columnTokens: [[1], [2]] };
    assert.equal(linkAction(at({ picture: apart })).block, 'cross:2-2');
    assert.equal(wordAction(at({ picture: apart })).block, 'encoder:2');
    const ofOther = at({ picture: apart, column: 0 }, { block: 'cross:2-2' });
    assert.equal(linkAction(ofOther).isUndo, undefined, 'the other piece is not blocked');
  });

  it('is also the word and the head, and either is undone by the same action', () => {
    assert.equal(wordAction(at()).block, 'encoder:1.2');
    assert.equal(headAction(at()).block, 'cross.1.3');
    const undone = at({}, { block: 'encoder:1.2,cross.1.3' });
    assert.equal(wordAction(undone).block, 'cross.1.3');
    assert.equal(headAction(undone).block, 'encoder:1.2');
    assert.equal(headAction(at({ picture: { ...picture, average: true } })), null);
  });

  it('is named for its words', () => {
    assert.deepEqual(says(at({ row: 0 })), [
      'Block “L’” from “elephant”',
      '… in this layer only',
      '… in this head only',
      'Hide “elephant” from all other words',
      'Switch head 4 off',
    ]);
    assert.equal(
      wordAction(at({ facts: { ...facts, grid: [2, 2] } }))
        .says.split(' ')
        .at(-1),
      'patches',
    );
    const tile = at({ part: 'encoder.0', facts: { parts: [{ id: 'encoder.0', heads: 4 }] } });
    assert.deepEqual(says(tile), ['Switch head 4 off'], 'a tile of another part');
  });
});

describe('where the latest block is', () => {
  const blocksOf = (where) => reachesOf(where).map(({ block }) => block);
  const chosen = (where) =>
    reachesOf(where).flatMap(({ isChosen, name }) => (isChosen ? name : []));
  const all = ['cross:2-1.2', 'cross.1:2-1.2', 'cross.1.3:2-1.2', 'encoder:1.2', 'cross.1.3'];

  it('can be everywhere, a layer, a head, the whole word, or all of the head', () => {
    const where = at({}, { block: all[0] });
    assert.deepEqual(blocksOf(where), all);
    assert.deepEqual(
      reachesOf(where).map(({ name }) => name),
      ['Everywhere', 'Layer 2', 'Head 4', 'Whole word “elephant”', 'Head 4 off'],
    );
  });

  it('goes from each place to each other, and leaves other blocks', () => {
    for (const [index, block] of all.entries()) {
      const where = at({}, { block: `cross.0.1,${block}` });
      assert.deepEqual(
        blocksOf(where),
        all.map((one) => `cross.0.1,${one}`),
      );
      assert.equal(chosen(where).length, 1);
      assert.equal(reachesOf(where)[index].isChosen, true, block);
    }
    assert.deepEqual(blocksOf(at({}, { block: 'encoder:1.2,cross:2-1.2' }))[3], 'encoder:1.2');
  });

  it('stays that of its own link when another cell is selected', () => {
    const elsewhere = at({ row: 0, column: 0 }, { block: 'cross.1:2-1.2' });
    assert.deepEqual(blocksOf(elsewhere).slice(0, 3), all.slice(0, 3));
    assert.deepEqual(chosen(elsewhere), ['Layer 2']);
  });

  it('is not offered for a text that is not drawn, nor a head where none is', () => {
    assert.deepEqual(reachesOf(at({}, { block: 'encoder:0-1' })), []);
    assert.deepEqual(reachesOf(at({}, { block: 'decoder.0.1' })), []);
    const whole = at({ picture: { ...picture, average: true } }, { block: all[0] });
    assert.deepEqual(blocksOf(whole), [all[0], all[1], all[3]]);
  });
});

describe('words that changed', () => {
  const changes = (before, after) =>
    changedWords(before, after).map(({ text, is }) => `${is} ${text}`);

  it('are those outside the longest common subsequence', () => {
    assert.deepEqual(changes('la voiture rouge est là', 'une voiture est là'), [
      ...['gone la', 'new une', 'same voiture', 'gone rouge', 'same est là'],
    ]);
    assert.deepEqual(changes('', 'a b'), ['new a b']);
    assert.deepEqual(changes('a b', 'a b'), ['same a b']);
  });
});

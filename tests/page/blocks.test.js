// Blocked links, words and heads: text in the state, edits of the library, pairs of tokens, and changed words.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  blockedPairs,
  editsOf,
  isOff,
  readBlocks,
  toggleBlock,
  withoutBlocks,
  writeBlocks,
} from '../../web/demo/blocks.js';
import { changedWords } from '../../web/demo/page/what_if/changed_words.js';
import { fields } from '../../web/demo/state_fields.js';

const texts = [
  'cross.1.0:2.3-1',
  'cross.1:2-1',
  'cross:2-1.2',
  'encoder:4',
  'decoder.0.3',
  'self:0,self.11.7',
];
const stacks = {
  encoder: { layers: 2, heads: 2, queries: 4, keys: 4 },
  cross: { layers: 1, heads: 2, queries: Infinity, keys: 4 },
};

describe('blocks', () => {
  it('are read and written', () => {
    for (const text of texts) {
      assert.equal(writeBlocks(readBlocks(text)), text);
      assert.equal(fields.block.read(text), text);
    }
    assert.deepEqual(readBlocks('cross.1.0:2.3-1'), [
      { stack: 'cross', layer: 1, head: 0, rows: [2, 3], columns: [1] },
    ]);
  });

  it('refuses other text', () => {
    for (const text of [
      'cross',
      'cross.1',
      'other:1',
      'cross:1-',
      'cross.1:2',
      'encoder:x',
      ',',
      'cross.0.0,',
    ]) {
      assert.equal(fields.block.read(text), undefined, text);
    }
  });

  it('are toggled and removed', () => {
    const [link, head] = readBlocks('cross:2-1,cross.0.1');
    const both = toggleBlock(toggleBlock('', link), head);
    assert.equal(both, 'cross:2-1,cross.0.1');
    assert.equal(toggleBlock(both, link), 'cross.0.1');
    assert.equal(
      withoutBlocks(both, ({ rows }) => rows),
      'cross.0.1',
    );
  });

  it('are edits: links, words with their own row kept, heads', () => {
    assert.deepEqual(editsOf(readBlocks('encoder.1.0:2-1,cross:7-3'), stacks), [
      { at: 'scores', layer: 1, stack: 'encoder', head: 0, query: [2], key: [1], to: 'blocked' },
      { at: 'scores', layer: [0], stack: 'cross', query: [7], key: [3], to: 'blocked' },
    ]);
    assert.deepEqual(editsOf(readBlocks('encoder:2'), stacks), [
      { at: 'scores', layer: [0, 1], stack: 'encoder', query: [0, 1, 3], key: [2], to: 'blocked' },
      { at: 'scores', layer: [0], stack: 'cross', key: [2], to: 'blocked' },
    ]);
    assert.deepEqual(editsOf(readBlocks('cross.0.1'), stacks), [
      { at: 'scores', layer: 0, stack: 'cross', head: 1, to: 'blocked' },
    ]);
  });

  it('leave out other stacks, layers, heads and positions', () => {
    const elsewhere =
      'self:1,decoder.0:1-1,encoder.2:1-1,encoder.0.2:1-1,encoder.0:4-1,cross.0:1-4,encoder.0.9';
    assert.deepEqual(editsOf(readBlocks(elsewhere), stacks), []);
  });

  it('hide the pairs that the edits block', () => {
    const part = { id: 'encoder.1', heads: 2 };
    const text = 'encoder.1.0:2-1,encoder:3,encoder.0:0-0';
    const wanted = new Uint8Array(2 * 4 * 4);
    for (const { layer, head = [0, 1], query, key, stack } of editsOf(readBlocks(text), stacks)) {
      if (stack !== 'encoder' || ![layer].flat().includes(1)) continue;
      for (const h of [head].flat())
        for (const i of query) for (const j of key) wanted[(h * 4 + i) * 4 + j] = 1;
    }
    assert.deepEqual(blockedPairs(readBlocks(text), part, 4, 4), wanted);
    assert.equal(
      wanted.reduce((sum, one) => sum + one),
      7,
    );
    assert.equal(blockedPairs(readBlocks('encoder.0:0-0,encoder.1.0'), part, 4, 4), null);
    assert.equal(isOff(readBlocks('encoder.1.0'), { stack: 'encoder', layer: 1, head: 0 }), true);
    assert.equal(isOff(readBlocks('encoder.1.0'), { stack: 'encoder', layer: 1, head: 1 }), false);
  });
});

describe('changed words', () => {
  it('are those outside the longest common subsequence', () => {
    assert.deepEqual(changedWords('La voiture rouge est là.', 'La belle voiture est là.'), [
      { text: 'La', is: 'same' },
      { text: 'belle', is: 'new' },
      { text: 'voiture', is: 'same' },
      { text: 'rouge', is: 'gone' },
      { text: 'est là.', is: 'same' },
    ]);
    assert.deepEqual(changedWords('', 'a b'), [{ text: 'a b', is: 'new' }]);
    assert.deepEqual(changedWords('a', 'a'), [{ text: 'a', is: 'same' }]);
  });
});

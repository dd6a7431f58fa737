// attention-wasm/models: ranges of changed texts in their source, against hand-written ones.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { allow } from '../../../../web/lib/models/tokenizer/budget.js';
import { concatenated, RangedText } from '../../../../web/lib/models/tokenizer/ranged_text.js';

/** The ranges of all units, 'start-end' each. */
const ranges = (text) =>
  text.text
    .split('')
    .map((_, unit) => `${text.startOf(unit)}-${text.endOf(unit)}`)
    .join(' ');

describe('RangedText', () => {
  allow(1000);

  it('begins with each character at its own place, of one unit or two', () => {
    assert.equal(ranges(new RangedText('a😀b')), '0-1 1-3 1-3 3-4');
    assert.equal(ranges(new RangedText('a😀b').slice(1, 4)), '1-3 1-3 3-4');
  });

  it('gives inserted characters the range of the one before, at the start an empty one', () => {
    const made = new RangedText('abc').edit().insert('x').keep(2).insert('yz').finish();
    assert.equal(made.text, 'xabyzc');
    assert.equal(ranges(made), '0-0 0-1 1-2 1-2 1-2 2-3');
    const inner = new RangedText('abcd').slice(2, 4).edit().insert('x').finish();
    assert.equal(ranges(inner), '2-2 2-3 3-4');
  });

  it('gives characters in place of others the range of the last dropped one', () => {
    const made = new RangedText('abcd').edit().keep(1).drop(3).insert('xy').finish();
    assert.equal(made.text, 'axyd');
    assert.equal(ranges(made), '0-1 2-3 2-3 3-4');
    const pair = new RangedText('😀b').edit().replaceCharacter('xyz').finish();
    assert.equal(ranges(pair), '0-2 0-2 0-2 2-3');
  });

  it('keeps ranges through edits of edits, slices and other characters', () => {
    const once = new RangedText('abcdef').edit().drop(2).finish();
    const twice = once.edit().keep(1).insert('é').finish();
    assert.equal(twice.text, 'cédef');
    assert.equal(ranges(twice.slice(1, 4)), '2-3 3-4 4-5');
    assert.equal(twice.slice(1, 4).origin, 2);
    assert.equal(ranges(twice.withCharacters('CÉDEF')), ranges(twice));
  });

  it('ends behind its last character', () => {
    assert.equal(new RangedText('ab').startOf(2), 2);
    assert.equal(new RangedText('ab').edit().drop(1).finish().startOf(1), 2);
    assert.equal(new RangedText('', 5).startOf(0), 5);
  });

  it('is joined of several', () => {
    const whole = concatenated([new RangedText('ab', 4), new RangedText('c', 9)]);
    assert.equal(whole.text, 'abc');
    assert.equal(ranges(whole), '4-5 5-6 9-10');
    assert.equal(concatenated([]).text, '');
  });
});

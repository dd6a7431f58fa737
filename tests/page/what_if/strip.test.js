// The strip of the answer and the next words, without a browser: which words, which numbers, which marks.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { comparedOf } from '../../../web/demo/page/what_if/compared.js';
import { h, textOf, written } from '../../support/js/components.js';

const { NextWords, offeredOf } = await import('../../../web/demo/page/next_words/next_words.jsx');
const { Strip } = await import('../../../web/demo/page/what_if/strip.jsx');

const word = (text, probability, more) => ({
  ...{ text, probability, begin: `La voiture ${text}`, special: false, isOwn: false },
  ...more,
});
const what = '“rouge” blocked from “red”';
const blocks = [{ item: 'cross:2-1', says: `${what} (cross-attention, all layers)`, what }];
const strip = (more) =>
  written(h(Strip, { blocked: { blocks, effect: undefined, next: null, ...more }, setBlock() {} }));

describe('the strip of the answer', () => {
  it('has what is blocked, and one way to undo all of it', () => {
    assert.match(strip(), /<bdi>“rouge” blocked from “red” \(cross-attention, all layers\)<\/bdi>/);
    assert.match(strip(), />Undo<\/button>/);
    const off = { item: 'cross.0.1', says: 'Head switched off', what: 'Head switched off' };
    assert.match(strip({ blocks: [...blocks, off] }), />Undo all<\/button>/);
    // Undo stands beside the text, where the text shows which words changed.
    assert.doesNotMatch(strip({ isInText: true }), /Undo/);
  });

  it('offers where the latest is blocked', () => {
    const reaches = [
      { name: 'Everywhere', title: 'In all layers and heads', block: 'cross:2-1', isChosen: true },
      { name: 'Layer 2', title: 'In layer 2', block: 'cross.1:2-1', isChosen: false },
    ];
    const html = strip({ reaches });
    assert.match(html, /<bdi>“rouge” blocked from “red”<\/bdi>/);
    const names = html.match(/<input type="radio"[^>]*>/g).map((one) => / checked/.test(one));
    assert.deepEqual(names, [true, false]);
    assert.match(html, /title="In layer 2".*Layer 2/);
  });

  it('has the likeliest word before and now', () => {
    const words = [word('est', 0.881, { was: 0 }), word('rouge', 0.0004, { was: 0.963 })];
    const next = { kind: 'written', before: 'La voiture', words };
    const line = /<p class="before-after">.*?<\/p>/.exec(strip({ next }))[0];
    assert.equal(textOf(line), 'Next word after “voiture”: rouge 96.3 % → before, now est 88.1 %');
    assert.match(line, /--share: ?0\.9630/);
  });

  it('names the positions that its words are of', () => {
    const words = [word('his', 0.044, { was: 0.071 })];
    const likely = [{ text: '␣', probability: 0.041 }];
    const effect = { kind: 'likeliest', was: likely, now: likely, at: 'At the end of the text' };
    const html = strip({ next: { kind: 'follows', before: 'the cat sat on', words }, effect });
    assert.match(textOf(html), /Next word after “on”: his 7\.1 % .* 4\.4 %/);
    assert.match(textOf(html), /At the end of the text, most likely now: ␣ 4\.1 % · before: ␣/);
    const masked = { kind: 'fits', before: 'the', own: '[MASK]', words };
    assert.match(textOf(strip({ next: masked })), /In the place of “\[MASK\]”: his/);
    assert.match(
      textOf(strip({ next: { kind: 'follows', before: '', words } })),
      /First word: his/,
    );
    const classes = { ...effect, at: undefined };
    assert.match(textOf(strip({ effect: classes })), /Most likely now: ␣/);
  });

  it('marks the words that the model writes and no longer writes', () => {
    const effect = { kind: 'written', was: 'La voiture rouge', now: 'Une voiture', lang: 'fr' };
    const html = strip({ effect });
    assert.deepEqual(html.match(/<(ins|del)>[^<]*/g), ['<del>La', '<ins>Une', '<del>rouge']);
    assert.match(html, /It was used here/);
    assert.match(strip({ effect: { ...effect, now: effect.was } }), /does not show it was useless/);
    assert.match(strip({ effect: null }), /writes nothing here/);
    assert.match(strip(), /means"><\/p>/, 'nothing is known yet');
  });

  it('says what an effect on one layer does not show', () => {
    const effect = { kind: 'own', was: 0.5, now: 0.5 };
    const inLayer = [{ item: 'cross.1.0:2-1', says: 'A link', what: 'A link' }];
    assert.match(strip({ effect, blocks: inLayer }), /One layer only/);
    const small = strip({ effect: { ...effect, now: 0.0002, was: 0.00002 } });
    assert.match(small, /0\.02.%.*2\.0.×.10⁻⁵ before/s);
  });
});

describe('the strip of a comparison', () => {
  const label = (text) => ({ text });
  const picture = {
    ...{ rows: [label('il')], columns: [label('tired')] },
    beside: {
      what: 'text',
      rows: [label('elle')],
      columns: [label('wide')],
      translation: 'qu’elle',
    },
  };
  const facts = { translation: 'qu’il' };
  const shown = { state: { view: 'compare', source: 'model' }, picture, facts };
  const known = (...all) => ({ isDue: false, answer: { words: all } });
  const words = known(word('il', 0.918));
  const otherWords = known(word('il', 0.061), word('elle', 0.898));
  const html = (compared) => written(h(Strip, { compared, endComparison() {} }));

  it('has the next word and the text of both, with the words that differ', () => {
    const says = textOf(html(comparedOf({ ...shown, words, otherWords })));
    assert.match(says, /“wide” in place of “tired”/);
    assert.match(says, /Next word: il 91\.8.% → before, now elle 89\.8.%/);
    assert.match(says, /Now it writes: \(no longer: qu’il\) \(new: qu’elle\)/);
    assert.match(says, /Undo/);
  });

  it('waits for the words of both; is none without a model, or in another view', () => {
    const due = { isDue: true, answer: otherWords.answer };
    const waiting = textOf(html(comparedOf({ ...shown, words, otherWords: due })));
    assert.doesNotMatch(waiting, /Next word/);
    assert.match(waiting, /Now it writes/);
    assert.equal(comparedOf({ ...shown, state: { view: 'matrix' }, words, otherWords }), null);
    const untranslated = { ...picture, beside: { ...picture.beside, translation: undefined } };
    assert.equal(comparedOf({ ...shown, picture: untranslated, facts: {} }), null);
  });
});

/** Whether a word is offered beside another one. */
const isOffered = (one) => offeredOf([one, word('rose', 0.5)]).includes(one);

describe('next words', () => {
  it('are those of one percent and more, and the own word', () => {
    assert.equal(isOffered(word('roue', 0.0099)), false);
    assert.equal(isOffered(word('roue', 0.01)), true);
    assert.equal(isOffered(word('roue', 0.001, { isOwn: true })), true);
    assert.equal(isOffered(word('rouge', 0.001, { was: 0.9 })), true, 'it was likely');
  });

  it('are no pieces of words', () => {
    const piece = { text: 'ant', probability: 0.5, begin: 'The eleph' + 'ant', special: false };
    assert.equal(isOffered(piece), false);
    assert.equal(isOffered({ ...piece, isOwn: true }), true);
    assert.equal(isOffered({ ...piece, begin: 'The ant' }), true);
    assert.equal(isOffered({ ...piece, text: '12', begin: '5 3 12' }), true);
    assert.equal(isOffered({ ...piece, text: '語', begin: '日本語' }), true);
    assert.deepEqual(offeredOf([piece]), [piece], 'within a word there is nothing else');
  });

  it('are buttons but for the own one, with their probability in percent', () => {
    const words = [word('rouge', 0.963, { isOwn: true }), word('verte', 0.02)];
    const answer = { kind: 'written', before: 'La voiture', words };
    const html = written(h(NextWords, { answer, token: 2, begin: '', change() {} }));
    assert.match(html, /<strong aria-current="true"[^>]*><bdi>rouge<\/bdi> <span>96\.3\u00a0%/);
    assert.match(html, /<button[^>]*title="Go on from “La voiture verte”"/);
    assert.match(html, /Likeliest after “La voiture”/);
    assert.doesNotMatch(html, /The model’s own/);
  });
});

// Untrusted text in components: every invisible character and control of text direction is replaced, and no text is HTML.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { options } from 'preact';
import { h, textOf, written } from '../support/js/components.js';
import { answerTo, flowOf } from '../support/js/page_answer.js';

const { initialState } = await import('../../web/demo/state_fields.js');
const { Formula } = await import('../../web/demo/page/component.jsx');
const { Answer, WrittenText } = await import('../../web/demo/page/what_if/answer.jsx');
const { NextWords } = await import('../../web/demo/page/next_words/next_words.jsx');
const { Control } = await import('../../web/demo/page/controls/control.jsx');
const { ExportPanel } = await import('../../web/demo/page/exports/export_panel.jsx');
const { AskedFor } = await import('../../web/demo/page/asked_for/asked_for.jsx');
const { OwnFiles } = await import('../../web/demo/page/own_files/own_files.jsx');
const { OwnModel } = await import('../../web/demo/page/own_model/own_model.jsx');
const { Examples } = await import('../../web/demo/page/examples.jsx');
const { Line } = await import('../../web/demo/page/texts/line.jsx');
const { Message } = await import('../../web/demo/page/message.jsx');
const { SentenceLine } = await import('../../web/demo/page/sentence/sentence_line.jsx');
const { Toolbar } = await import('../../web/demo/page/toolbar.jsx');
const { Sentence } = await import('../../web/demo/page/sentence/sentence.jsx');
const { Note } = await import('../../web/demo/page/note.jsx');
const { Strip } = await import('../../web/demo/page/what_if/strip.jsx');
const { BlockButton } = await import('../../web/demo/page/what_if/block_button.jsx');
const { Menu } = await import('../../web/demo/page/what_if/menu.jsx');
const { Sweep } = await import('../../web/demo/page/sweep/sweep.jsx');
const { FormulaLine, StripLine, Sum } = await import('../../web/demo/page/flow/step.jsx');
const { PiecesStep } = await import('../../web/demo/page/flow/pieces_step.jsx');
const { Learn } = await import('../../web/demo/page/learn/learn.jsx');
const { Compare } = await import('../../web/demo/page/views/compare.jsx');
const { Heads } = await import('../../web/demo/page/views/heads.jsx');
const { LargeHead } = await import('../../web/demo/page/views/head_large.jsx');
const { HardLookup, SoftLookup } = await import('../../web/demo/page/tour/parts/lookup_table.jsx');

const { Alignment } = await import('../../web/demo/page/tour/parts/alignment.jsx');
const { Choice } = await import('../../web/demo/page/tour/parts/choice.jsx');
const { Figure } = await import('../../web/demo/page/tour/parts/figure.jsx');
const { Ledger } = await import('../../web/demo/page/tour/parts/ledger.jsx');
const { Likely } = await import('../../web/demo/page/tour/parts/likely.jsx');
const { Product } = await import('../../web/demo/page/tour/parts/product.jsx');
const { Says } = await import('../../web/demo/page/tour/parts/says.jsx');
const { TablePair } = await import('../../web/demo/page/tour/parts/table_pair.jsx');

const bad = 'a\u202eb\u200bc<b>';
const shown = 'a�b�c&lt;b>';
const none = () => {};

/** A word of a model that may come next. */
const word = { text: bad, probability: 0.5, begin: bad, special: false, isOwn: false };
const next = { kind: 'fits', text: bad, before: bad, words: [word], own: bad, masked: bad };
const cell = { text: bad, part: 'cross.0', head: 0, block: 'cross.0.0' };
const pair = { row: 0, column: 0, query: bad, key: bad, weight: 0.5, score: 1 };
const measured = {
  ...{ plan: { over: 'heads', whole: bad, cells: [cell], logProbabilities: [-1] }, runs: [[-2]] },
  ...{ isRunning: false, isDone: true, why: '', target: 0, isWhole: false, cell: null },
};
measured.plan.targets = [{ text: bad, label: bad, tokens: [0] }];
const weights = Float32Array.of(1);
const part = { part: 'cross.0', name: bad, rows: [bad], columns: [bad], heads: 1, weights };
const run = {
  ...{ steps: 1, losses: [1], score: { right: 1, of: 1 }, task: 'pairs', run: 1 },
  example: { input: [bad], output: [bad, bad], expected: [bad], parts: [part] },
};
const shades = { fill: 'white', text: 'black' };
const numbers = {
  ...{ caption: bad, more: bad, above: bad, rows: [bad], columns: [bad], data: [1], bare: true },
  ...{ format: () => bad, shadeOf: () => shades },
};
const small = { name: bad, rows: 1, columns: 1, cells: [1, 1], weights, role: null, spread: 1 };
const scores = { previous: 0.5, first: 0.5, same: 0.5, spread: 0.5 };
const many = [0, 1].map((head) => ({ ...small, part: 'cross.0', head, scores }));
const manyAt = { part: 'cross.0', head: 0, row: 0, column: 0 };
const label = { text: bad };
const other = { text: `${bad} other` };
const comparedTexts = {
  picture: {
    ...{ part: 'cross.0', rows: [label], columns: [label], stages: { weights } },
    beside: { what: 'text', parts: ['cross.0'], head: 0, stages: { weights }, columns: [other] },
  },
  facts: {
    part: 'cross.0',
    parts: [{ id: 'cross.0', name: bad, heads: 1 }],
    fixed: bad,
    made: true,
  },
  ...{ selection: { row: 0, column: 0, head: 0 }, settings: { stage: 'weights' } },
};
const identity = `gpt2 5 0f86d081 ${bad}`;
const lookup = { query: bad, entries: [[bad, '1']], temperature: 1 };

const components = {
  Examples: h(Examples, { examples: [{ name: bad, lang: 'en' }], start: none }),
  Line: h(Line, {
    id: 'first',
    name: `${bad}: ${bad}`,
    own: bad,
    written: bad,
    words: { __html: '' },
  }),
  Message: h(Message, { says: bad, isProblem: true }),
  SentenceLine: h(SentenceLine, { parts: [bad, { is: 'read', text: bad }] }),
  Toolbar: h(Toolbar, {
    now: {
      chosen: { ...initialState, head: 0 },
      answer: { facts: { ...comparedTexts.facts, options: {} }, picture: null },
    },
    ...{ view: 'matrix', play: null, isPhone: false, change: none },
  }),
  Formula: h(Formula, { text: bad }),
  FormulaLine: h(FormulaLine, { text: bad }),
  Sum: h(Sum, null, bad, [[bad]]),
  StripLine: h(StripLine, { symbol: 'x', word: bad, values: [1], top: 1, palette: 'blues' }),
  PiecesStep: h(PiecesStep, {
    inspection: {
      pieces: {
        pairs: [pair, pair],
        rows: 2,
        columns: 1,
        query: bad,
        key: bad,
        score: 1,
        weight: 1,
      },
      place: { head: 0, row: 0, column: 0 },
    },
    spellOut: none,
  }),
  NextWords: h(NextWords, { answer: next, token: 0, begin: bad, change: none }),
  Answer: h(Answer, { name: bad, changes: [{ says: bad, undo: none }], bars: null }, bad),
  WrittenText: h(WrittenText, { was: 'x', now: bad, lang: 'fr' }),
  Controls: h(
    'div',
    null,
    ['switch', 'choice', 'select', 'number', 'range', 'power', 'window'].map((type) =>
      h(Control, {
        control: { id: 'scale', type, label: bad, says: bad, formula: bad, choices: [[1, bad]] },
        ...{ at: { state: { scale: 1 }, facts: { overruled: { scale: bad } } }, change: none },
      }),
    ),
  ),
  ExportPanel: h(ExportPanel, {
    saving: { paper: 'page', says: bad, said: 1, copied: null },
    ...{ save: none, choosePaper: none },
  }),
  OwnFiles: h(OwnFiles, {
    files: { open: [{ id: 1, name: bad, says: bad }], text: bad, isProblem: true, said: 1 },
    saving: { format: 'viewer', says: bad },
    ...{ openFiles: none, closeFile: none, save: none },
  }),
  OwnModel: h(OwnModel, {
    own: {
      ...{ model: { id: 1, name: bad, identity, card: [[bad, bad]], seesPictures: true } },
      ...{ kept: [{ place: 'a', name: bad, size: bad }], far: { text: bad }, text: bad },
      ...{ weights: 'int8', asked: identity },
    },
    seen: { picture: { rows: [{ text: bad, special: true }] }, place: { row: 0 } },
  }),
  AskedFor: h(AskedFor, {
    asked: { model: identity },
    kept: [{ place: 'a', name: bad, identity }],
    ...{ openModel: none, openFiles: none },
  }),
  Sentence: h(Sentence, { parts: [bad, ...['read', 'share'].map((is) => ({ is, text: bad }))] }),
  Note: h(Note, { says: bad, explains: bad }),
  Strip: h(Strip, {
    blocked: {
      blocks: [{ item: 'cross:0-0', says: bad, what: bad }],
      reaches: [{ name: bad, title: bad, block: '', isChosen: true }],
      next: null,
    },
    compared: { words: [bad, bad], was: bad, now: 'x', lang: 'fr', next: null },
    measured: { says: bad, word: bad, found: null, canDo: bad, does: '', effect: bad },
    setBlock: none,
  }),
  BlockButton: h(BlockButton, {
    ...{ action: { says: bad, block: '', hint: '', key: 'X' }, block: none },
  }),
  Menu: h(Menu, {
    opened: { items: [{ says: bad, hint: bad, key: bad, act: none }], anchor: { x: 0, y: 0 } },
    close: none,
  }),
  Sweep: h(Sweep, {
    ...{ sweep: measured, state: { sweep: 'words' }, facts: {}, place: { row: 0 } },
    ...{ picture: { part: 'cross.0', rowTokens: [[0]] }, isReady: true, isOld: false },
  }),
  Learn: h(Learn, {
    ...{ chosen: { ...initialState, learn: 'pairs', pairs: '' }, picture: run },
    ...{ isPlaying: false, says: bad, isProblem: true },
  }),
  Compare: h(Compare, {
    state: { ...initialState, beside: 'text' },
    compared: { ...comparedTexts, state: { ...initialState, beside: 'text' } },
  }),
  Heads: h(Heads, {
    ...{ picture: { part: 'cross.0', rows: [bad], columns: [bad] }, selection: manyAt },
    ...{ inputs: { thumbnails: many, colorBy: 'previous', scores: null }, change: none },
  }),
  LargeHead: h(LargeHead, {
    head: {
      part: 'cross.0',
      head: 0,
      title: bad,
      does: [bad],
      labels: { rows: [bad], columns: [] },
    },
  }),
  Alignment: h(Alignment, { rows: [bad], columns: [bad], weights: Float32Array.of(1) }),
  Choice: h(Choice, { label: bad, names: [bad], chosen: 0, pick: none }),
  Figure: h(Figure, { when: 'before', caption: h('span', null, bad) }, bad),
  Ledger: h(Ledger, {
    spelling: { lines: [bad], termsTitle: bad, trail: [{ says: bad, step: 'mix', place: {} }] },
    go: none,
  }),
  Likely: h(Likely, { words: [word], own: bad }),
  Product: h(Product, {
    ...{ x: [1], w: { data: [1], dims: [1, 1] }, y: [1], at: { of: 'y', row: 0, column: 0 } },
    ...{ called: { x: bad, w: bad, y: bad }, means: { x: bad, w: bad, y: bad }, palette: shades },
    few: { labels: [bad], symbol: bad, shadeOf: () => shades },
    pick: none,
  }),
  Says: h(Says, { texts: [bad] }),
  TablePair: h(TablePair, { before: numbers, after: numbers, happens: bad, pick: none }),
  HardLookup: h(HardLookup, { lookup, found: null }),
  SoftLookup: h(SoftLookup, { lookup, found: null, chosen: 0, change: none, pick: none }),
};

describe('untrusted text in components', () => {
  for (const [name, component] of Object.entries(components)) {
    it(`is visible and no HTML in ${name}`, () => {
      // A field holds the reader's own text as it is.
      const html = written(component).replace(/(<input[^>]*? value=")[^"]*"/g, '$1"');
      assert.doesNotMatch(html, /[\u202e\u200b]|c<b>/);
      if (name !== 'SoftLookup') assert.ok(html.includes('�'));
    });
  }

  it('is visible and no HTML in the flow', async () => {
    const text = `tea ${bad} cup`;
    const answer = await answerTo({ source: 'ngrams', mode: 'self', text, row: 1, column: 1 });
    const { html } = flowOf(answer);
    assert.doesNotMatch(html, /[\u202e\u200b]|c<b>/);
    assert.ok(html.includes('a�b'));
  });

  it('is left as it is where nothing in it is invisible', () => {
    const html = written(h(Says, { texts: ['a x_1 </s> b'] }));
    assert.equal(textOf(html), 'a x1 &lt;/s> b');
  });

  it('is visible where a component returns it alone', () => {
    const node = { type: null, props: bad }; // the text node that Preact makes of it
    options.vnode(node);
    assert.equal(node.props, 'a�b�c<b>');
    assert.ok(written(h('p', null, bad)).includes(shown));
  });
});

// The panel of effects and its cell in the strip, without a browser: which numbers, which words, which buttons.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { measuredOf } from '../../../web/demo/page/sweep/measured.js';
import { h, textOf, written } from '../../support/js/components.js';

const { Sweep } = await import('../../../web/demo/page/sweep/sweep.jsx');
const { Strip } = await import('../../../web/demo/page/what_if/strip.jsx');

const ln = Math.log;
const plan = {
  over: 'heads',
  whole: 'the translation',
  cells: [
    { text: 'head 1', part: 'cross.1', head: 0, block: 'cross.1.0' },
    { text: 'head 2', part: 'cross.1', head: 1, block: 'cross.1.1', isBlocked: true },
    { text: 'head 1', part: 'encoder.0', head: 0, block: 'encoder.0.0' },
  ],
  targets: [
    { text: 'La', label: 'La', tokens: [0] },
    { text: 'rouge', label: 'rouge', tokens: [1] },
  ],
  logProbabilities: [ln(0.5), ln(0.8)],
};
const runs = [
  [ln(0.25), ln(0.4)],
  [ln(0.5), ln(0.8)],
  [ln(0.5), ln(0.1)],
];
const done = {
  ...{ over: 'heads', plan, runs, isRunning: false, isDone: true, why: '' },
  ...{ target: 1, isWhole: false, cell: { index: 0, target: 1 }, pointed: null },
};
const state = { sweep: 'heads', source: 'model', block: 'cross.1.1' };
const shown = {
  ...{ sweep: done, isOld: false, isReady: true, state, facts: {} },
  ...{ picture: { part: 'cross.1', rowTokens: [[0], [1]] }, place: { row: 1 } },
};
const panel = (more = {}) => written(h(Sweep, { ...shown, ...more }));
const stateOf = (html) => /data-state="(\w+)"/.exec(html)[1];

describe('the panel of effects', () => {
  it('lists the largest effects, and says what the numbers are', () => {
    const html = panel();
    assert.equal(stateOf(html), 'done');
    const says = textOf(html);
    assert.match(says, /Largest effects on “rouge”:encoder 1, head 1 −2\.08cross 2, head 1 −0\.69/);
    assert.match(says, /p is the probability of “rouge”, now 80\.0.%/);
    assert.match(html, /value="word" checked[^>]*>\s*<span>“rouge”/);
    const whole = textOf(panel({ sweep: { ...done, isWhole: true } }));
    assert.match(whole, /Largest effects on the translation/);
    assert.match(whole, /the translation as it stands, now 40.0.%/);
  });

  it('says how far it is, and why to measure again', () => {
    const running = { ...done, isRunning: true, isDone: false, runs: runs.slice(0, 1) };
    const html = panel({ sweep: running });
    assert.equal(stateOf(html), 'measuring');
    assert.match(textOf(html), /1 of 3Cancel/);
    assert.doesNotMatch(html, /<ol/);
    const again = (more, sweep) => {
      const { isReady = true } = more;
      const text = panel({ ...more, isReady, sweep: { ...done, ...sweep } });
      assert.equal(stateOf(text), 'again');
      return textOf(text);
    };
    assert.match(again({ isOld: true }, {}), /is another now\.Measure again/);
    assert.match(again({}, { isDone: false, runs: [] }), /Canceled at 0 of 3/);
    assert.match(
      again({}, { plan: null, runs: [], isDone: false, why: 'It has no head' }),
      /no head/,
    );
    assert.match(
      again(
        { place: { row: 0 } },
        { plan: { ...plan, isPartial: true, targets: [plan.targets[1]] }, target: 0 },
      ),
      /at another word/,
    );
    const waiting = panel({ isOld: true, isReady: false });
    assert.doesNotMatch(waiting, /Measure again/);
    assert.match(textOf(panel({ sweep: null })), /0 of …/);
  });

  it('shows the selected cell, or that under the pointer, in the strip', () => {
    const strip = (sweep = done, more = {}) =>
      textOf(written(h(Strip, { measured: measuredOf({ sweep, isOld: false, state, ...more }) })));
    assert.match(
      strip(),
      /^cross 2, head 1 switched offProbability: rouge 80\.0.% → before, now rouge 40\.0.%/,
    );
    assert.match(strip(), /Switch it offEffect: Δ.ln.p = −0\.69/);
    assert.match(strip({ ...done, pointed: { index: 2, target: 1 } }), /^encoder 1, head 1/);
    assert.match(strip({ ...done, cell: { index: 1, target: 1 } }), /It is already/);
    assert.match(strip({ ...done, runs: [] }), /Not measured yet/);
    assert.match(
      strip({ ...done, isWhole: true }),
      /the translation 40.0.% → before, now the translation 10.0.%/,
    );
    assert.equal(strip(done, { isOld: true }), '');
    const cells = [{ text: 'red', columns: [1], block: 'encoder:1' }];
    const words = {
      ...done,
      plan: { ...plan, over: 'words', cells },
      cell: { index: 0, target: 0 },
    };
    assert.match(strip(words), /^“red” hiddenProbability: La 50.0.%.*Hide it/);
    assert.equal(measuredOf({ sweep: done, isOld: false, state }).does, 'cross.1.1,cross.1.0');
  });
});

// Rays of the texts: which links have one, how wide and strong they are, where they run, and which one is under the pointer.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { h, written } from '../../support/js/components.js';
import { drawnRays, nearestRay, raysOf } from '../../../web/demo/page/texts/rays.js';

const { Rays } = await import('../../../web/demo/page/texts/rays.jsx');

const says = (weight) => `${(100 * weight).toFixed(1)} %`;
/** Two words that look at two words and marks. */
const weights = [0.905, 0.004, 0.091, 0.2, 0.25, 0.55];
const links = { weights, rows: 2, to: [0, 1, null], shown: 0, isOneText: false, says };
const pairsOf = (rays) => rays.map(({ row, to }) => [row, to]).sort();
const point = (x, y) => ({ x, y });
const places = {
  from: [point(10, 100), point(200, 100)],
  to: [point(20, 20), point(300, 20)],
  end: point(340, 20),
  isArc: false,
  ...{ width: 400, height: 120 },
};

describe('rays', () => {
  it('are those of links of 1 % and more; only the shown word has one to marks', () => {
    assert.deepEqual(pairsOf(raysOf(links)), [
      [0, null],
      [0, 0],
      [1, 0],
      [1, 1],
    ]);
    const other = raysOf({ ...links, shown: 1 });
    assert.deepEqual(pairsOf(other), [
      [0, 0],
      [1, null],
      [1, 0],
      [1, 1],
    ]);
    // Rays of a row add up to its sum, but for weights under 1 %.
    const own = other.filter(({ isOwn }) => isOwn);
    assert.ok(Math.abs(own.reduce((sum, { weight }) => sum + weight, 0) - 1) < 1e-9);
  });

  it('have the percent at the strongest word, and at marks where they have more', () => {
    const written = (rays) => rays.map((ray) => ray.says).filter(Boolean);
    assert.deepEqual(written(raysOf(links)), ['90.5 %']);
    assert.deepEqual(written(raysOf({ ...links, shown: 1 })), ['25.0 %', 'marks 55.0 %']);
  });

  it('are none for masked links, dashed for blocked ones', () => {
    const unseen = [1, 2, 0, 0, 0, 0];
    const drawn = drawnRays(raysOf({ ...links, unseen }), places);
    assert.deepEqual(
      drawn.filter(({ isOwn }) => isOwn).map(({ to, isBlocked }) => [to, isBlocked]),
      [
        [1, true],
        [null, false],
      ],
    );
    const html = written(h(Rays, { rays: drawn }));
    const [dashed, ...more] = html.match(/<path[^>]*dasharray[^>]*>/g);
    assert.match(dashed, /class="ray own blocked"/);
    assert.equal(more.length, 0);
    assert.match(html, /^<svg[^>]*aria-hidden="true"/);
  });

  it('are as wide and strong as their weights, those of other words half as strong', () => {
    const drawn = drawnRays(raysOf(links), places);
    for (const { weight, width, opacity, isOwn } of drawn) {
      assert.ok(Math.abs(width - (1 + 9 * weight)) < 0.01);
      assert.ok(Math.abs(opacity - (isOwn ? 1 : 0.5) * (0.12 + 0.88 * weight)) < 0.01);
    }
    // The shown word's are above the others.
    assert.deepEqual(
      drawn.map(({ isOwn }) => isOwn),
      [false, false, true, true],
    );
    assert.equal(drawn.at(-1).d, 'M10 100C10 60 20 60 20 20');
  });

  it('are arcs above one text, higher for words that are farther apart, within the drawing', () => {
    const line = [60, 160, 260, 900].map((x) => point(x, 90));
    const one = { from: line, to: line, end: point(940, 90), isArc: true, width: 960, height: 140 };
    const even = { weights: Array(16).fill(0.25), rows: 4, to: [0, 1, 2, 3], shown: 0 };
    const drawn = drawnRays(raysOf({ ...even, isOneText: true, says }), one);
    const topOf = ({ curve }) => (curve[0].y + 3 * curve[1].y) / 4;
    const own = drawn.filter(({ isOwn }) => isOwn);
    const tops = own.toSorted((a, b) => a.to - b.to).map(topOf);
    assert.ok(tops[1] > tops[2] && tops[2] > tops[3] && tops[3] >= 0, tops.join());
    // A word that looks at itself has a loop, of the shown word alone.
    assert.deepEqual(
      drawn.filter(({ from, to }) => from === to).map(({ row }) => row),
      [0],
    );
  });

  it('have an arc to marks above a text of one word', () => {
    const one = { from: [point(10, 100)], to: [point(10, 100)], end: point(40, 100), isArc: true };
    const drawn = drawnRays(
      raysOf({ weights: [0.3, 0.7], rows: 1, to: [0, null], shown: 0, isOneText: true, says }),
      { ...one, width: 400, height: 120 },
    );
    for (const { curve } of drawn) {
      assert.ok(
        curve.every(({ x, y }) => Number.isFinite(x) && Number.isFinite(y)),
        JSON.stringify(curve),
      );
    }
    assert.deepEqual(pairsOf(drawn), [
      [0, null],
      [0, 0],
    ]);
  });

  it('are found within 12 pixels of the pointer', () => {
    const drawn = drawnRays(raysOf(links), places);
    const at = (x, y) => {
      const { row, column } = nearestRay(drawn, point(x, y)) ?? {};
      return row === undefined ? null : [row, column];
    };
    assert.deepEqual(at(15, 60), [0, 0]);
    assert.deepEqual(at(250, 60), [1, 1]);
    assert.equal(at(380, 100), null);
    // Its own width counts.
    assert.deepEqual(at(0, 60), [0, 0]);
    assert.equal(at(-12, 60), null);
  });

  it('are left out for words without a position, while a text is being replaced', () => {
    const none = { ...places, from: [places.from[0]] };
    assert.ok(drawnRays(raysOf(links), none).every(({ from }) => from === 0));
  });
});

// Settings of a training run in a link.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ownSettings, readSettings, writeSettings } from '../../../web/demo/learn_settings.js';
import '../../support/js/components.js';
import { hostileNames } from '../../support/js/hostile_names.js';

const { pointsOf } = await import('../../../web/demo/page/learn/loss_curve.jsx');

describe('settings of a training run', () => {
  it('are a text that names what differs from the task’s own', () => {
    assert.equal(writeSettings(ownSettings('reverse')), '');
    assert.equal(writeSettings(ownSettings('sort')), 'sort');
    const settings = {
      ...ownSettings('sort'),
      layers: 4,
      heads: 1,
      positions: 0,
      divided: 0,
      rate: 1e-7,
      seed: 4294967295,
    };
    const text = 'sort layers 4 heads 1 positions 0 divided 0 rate 1e-7 seed 4294967295';
    assert.equal(writeSettings(settings), text);
    assert.deepEqual(readSettings(text), settings);
    assert.deepEqual(readSettings(''), ownSettings('reverse'));
  });

  it('replace what is unknown or invalid by the task’s own', () => {
    const wrong = [
      'layers 5',
      'layers 1.5',
      'heads 3',
      'width 33',
      'positions 2',
      'divided 2',
      'rate 0',
      'rate -1',
      'rate NaN',
      'rate Infinity',
      'seed -1',
      'seed 4294967296',
      'seed 0.5',
      'seed',
      'colour 1',
      ...hostileNames.map((name) => `${name} 1`),
    ];
    for (const one of wrong) {
      assert.deepEqual(readSettings(`sort ${one}`), ownSettings('sort'), one);
    }
    for (const task of ['', 'none', ...hostileNames]) {
      assert.deepEqual(readSettings(`${task} seed 5`), { ...ownSettings('reverse'), seed: 5 });
    }
  });
});

describe('the curve of the loss', () => {
  it('has a point for each step, or means of neighbors', () => {
    assert.deepEqual(pointsOf([]), []);
    assert.deepEqual(pointsOf([3, 2]), [
      [1, 3],
      [2, 2],
    ]);
    const many = Array.from({ length: 1000 }, (_, at) => at + 1); // step n has the loss n
    const points = pointsOf(many);
    assert.ok(points.length <= 400);
    assert.deepEqual(points[0], [2, 2]);
    assert.deepEqual(points.at(-1), [1000, 1000]);
    for (const [step, loss] of points) assert.equal(step, loss);
  });
});

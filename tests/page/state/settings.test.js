// Spelling of weights: percent or decimals.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readAddress, writeAddress } from '../../../web/demo/page/address.js';
import { scaleEnd } from '../../../web/demo/page/views/head_of_picture.js';
import { isInPercent, prefersPercent } from '../../../web/demo/state/settings.js';
import { initialState } from '../../../web/demo/state_fields.js';

const pictureOf = (...weights) => ({ stages: { weights: Float32Array.from(weights) } });
const stateOf = (part) => ({ ...initialState, ...part });

describe('weights', () => {
  it('are percent for the built-in model, decimals for the reader’s model and arrays', () => {
    const picture = pictureOf(0.25, 0.75);
    const sources = { model: true, ngrams: true, own: false, files: false };
    for (const [source, expected] of Object.entries(sources)) {
      assert.equal(isInPercent(stateOf({ source }), picture), expected, source);
      for (const [numbers, isPercent] of Object.entries({ percent: true, decimals: false })) {
        assert.equal(isInPercent(stateOf({ source, numbers }), picture), isPercent, source);
      }
    }
    assert.equal(prefersPercent(stateOf({ mode: 'learn', source: 'files' })), true);
  });

  it('are decimals where any value is no weight', () => {
    for (const weights of [
      [0.5, 5],
      [0.5, -0.3],
    ]) {
      assert.equal(isInPercent(stateOf({ numbers: 'percent' }), pictureOf(...weights)), false);
    }
    assert.equal(isInPercent(stateOf({}), pictureOf(1.00001, 0, NaN)), true);
  });

  it('have a setting with an address', () => {
    const address = writeAddress(stateOf({ numbers: 'decimals' }));
    assert.match(address, /numbers=decimals/);
    assert.equal(readAddress(address).numbers, 'decimals');
    assert.equal(readAddress('#numbers=octal&mode=self').numbers, 'source');
  });
});

describe('the end of a color scale', () => {
  it('is 1, 2 or 5 of a power of ten, at least the largest weight; values above 1 have their own', () => {
    const ends = { 0.63: 1, 0.99674: 1, 1: 1, 0.5: 0.5, 0.34: 0.5, 0.2: 0.2, 0.11: 0.2, 0.1: 0.1 };
    for (const [top, end] of Object.entries(ends)) {
      assert.ok(Math.abs(scaleEnd(Number(top)) - end) < 1e-9, top);
    }
    assert.ok(Math.abs(scaleEnd(0.0312) - 0.05) < 1e-9);
    assert.equal(scaleEnd(5.2), 5.2);
    assert.equal(scaleEnd(0), 0);
  });
});

// Bitwise comparison of results.
import assert from 'node:assert/strict';

import { explainBitDifference } from './compare.js';

/** Fails unless results, which may be nested or one tensor, have the same names and the same bits. */
export function same(got, want, label = '') {
  if (want?.dims) assert.equal(explainBitDifference(got, want), '', label);
  else if (want instanceof Object) {
    assert.deepEqual(Object.keys(got).sort(), Object.keys(want).sort(), label);
    sameIn(got, want, label);
  } else assert.equal(got, want, label);
}

/** The same, for some names only. */
export function sameIn(got, want, label = '') {
  for (const name of Object.keys(want)) same(got[name], want[name], `${label} ${name}`);
}

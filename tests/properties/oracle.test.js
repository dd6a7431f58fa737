// Every oracle for published examples, and the error function that they share.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { publishedAttention } from '../vectors/published_attention.js';
import { publishedLayers } from '../vectors/published_layers.js';
import { erf, erfc } from '../support/js/error_function.js';
import { oracleCase } from '../support/js/oracle_case.js';

describe('oracles against published examples', () => {
  for (const example of [...publishedAttention, ...publishedLayers]) {
    const { name, comment, source, tolerance, expected } = example;
    it(name, () => {
      const result = oracleCase(example);
      assert.ok(Object.keys(expected).length > 0);
      for (const [what, rows] of Object.entries(expected)) {
        close(result[what].data, rows.flat(Infinity), tolerance, `${what}: ${comment} ${source}`);
      }
    });
  }
});

it('the error function is that of published tables and of its definition as an integral', () => {
  // Abramowitz & Stegun, table 7.1, and erfc(3) and erfc(5) from its complement.
  const known = {
    0.1: 0.1124629160183,
    0.5: 0.520499877813,
    1: 0.8427007929497,
    2: 0.995322265019,
  };
  for (const [x, value] of Object.entries(known)) {
    close([erf(+x), erf(-x), erfc(+x)], [value, -value, 1 - value], 1e-13);
  }
  assert.ok(Math.abs(erfc(3) / 2.209049699858544e-5 - 1) < 1e-12);
  assert.ok(Math.abs(erfc(5) / 1.537459794428035e-12 - 1) < 1e-12);
  for (let x = -6; x <= 6; x += 0.1)
    close([erf(x), 1 - erfc(x)], Array(2).fill(integral(x)), 1e-13);
  assert.deepEqual([erf(0), erfc(40), erfc(-40), erf(Infinity), erf(-Infinity)], [0, 0, 2, 1, -1]);
});

/** 2/√π · ∫₀ˣ exp(−t²) dt by Simpson's rule. */
function integral(x) {
  const steps = 4000;
  const h = x / steps;
  let sum = 0;
  for (let n = 0; n <= steps; n++) {
    const weight = n === 0 || n === steps ? 1 : n % 2 === 1 ? 4 : 2;
    sum += weight * Math.exp(-((n * h) ** 2));
  }
  return ((2 / Math.sqrt(Math.PI)) * sum * h) / 3;
}

function close(got, want, tolerance = 1e-14, label = '') {
  assert.equal(got.length, want.length, label);
  want.forEach((number, at) => {
    const off = Math.abs(got[at] - number);
    const allowed = Math.max(tolerance, 1e-14 * Math.abs(number));
    assert.ok(off <= allowed, `[${at}]: ${got[at]} instead of ${number}. ${label}`);
  });
}

// The price list of the tour, without a browser: its numbers beside a softmax written out, and what its rows show.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale, wordVectors } from 'attention-wasm/text';
import { initialState } from '../../../web/demo/state_fields.js';
import { lookUp } from '../../../web/demo/worker/compute/lookup.js';
import { h, textOf, written } from '../../support/js/components.js';

const { HardLookup, rowsOf, SoftLookup, spellRow } =
  await import('../../../web/demo/page/tour/parts/lookup_table.jsx');

const api = await loadAttention();
const list = initialState.lookup;

/** { weights, mean } of a softmax in float64 over the dot products of the keys' vectors. */
function expected({ query, entries, temperature }) {
  const [[q], keys] = [[query], entries.map(([key]) => key)].map(vectorsOf);
  const scores = keys.map(
    (k) => (k.reduce((sum, x, at) => sum + x * q[at], 0) * lexicalScale) / temperature,
  );
  const powers = scores.map((score) => Math.exp(score - Math.max(...scores)));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const weights = powers.map((power) => power / total);
  return { weights, mean: weights.reduce((sum, w, at) => sum + w * entries[at][1], 0) };
}

function vectorsOf(words) {
  const { data } = wordVectors(words, { dim: 256 });
  return words.map((_, at) => Array.from(data.subarray(256 * at, 256 * (at + 1))));
}

describe('the price list of the tour', () => {
  it('has weights of softmax, from exact match to plain average', () => {
    for (const query of ['teas', 'coffee']) {
      for (const temperature of [2 ** -4, 0.3, 1, 64]) {
        const lookup = { ...list, query, temperature };
        const found = lookUp(api, lookup);
        const { weights, mean } = expected(lookup);
        rowsOf(lookup, found).forEach((row, at) => {
          assert.ok(Math.abs(row.weight - weights[at]) < 1e-5, `${row.name} at ${temperature}`);
          assert.ok(Math.abs(row.product - weights[at] * list.entries[at][1]) < 1e-4);
        });
        assert.ok(Math.abs(found.soft - mean) < 1e-4, `${found.soft}, expected ${mean}`);
        const { lines, terms } = spellRow(lookup, found, 2);
        const sum = terms.reduce((all, [weight, value]) => all + weight * value, 0);
        assert.ok(
          Math.abs(Number(/= (\S+) €$/.exec(lines.at(-1))[1]) - sum) < 0.0006,
          lines.at(-1),
        );
      }
    }
    const cold = expected({ ...list, query: 'coffee', temperature: 2 ** -4 });
    assert.ok(Math.abs(cold.mean - 4) < 0.001, 'the oracle finds the exact match');
  });

  it('finds an equal key, or nothing', () => {
    const hard = (lookup) => {
      const html = written(h(HardLookup, { lookup, found: lookUp(api, lookup) }));
      return [html.match(/yes/g)?.length ?? 0, / class="answer">([^<]*)</.exec(html)[1]];
    };
    assert.deepEqual(hard(list), [0, 'not found']);
    assert.deepEqual(hard({ ...list, query: ' coffee ' }), [1, '4.000 €']);
  });

  it('has the numbers of a row in its own row, also beside one without a key', () => {
    const lookup = {
      ...list,
      entries: [
        ['tea', '2'],
        [' ', '9'],
        ['cake', 'x'],
      ],
    };
    const found = lookUp(api, lookup);
    const rows = rowsOf(lookup, found);
    assert.deepEqual(
      [rows[0].weight, rows[1].weight, rows[2].weight],
      [found.weights[0], undefined, found.weights[1]],
    );
    assert.equal(rows[2].value, 0, 'no number is 0');
    const html = written(h(SoftLookup, { lookup, found, chosen: 2, change() {}, pick() {} }));
    const shown = html.split('<tr').slice(2);
    assert.deepEqual(
      shown.map((row) => row.includes('class="chosen"')),
      [false, false, true],
    );
    assert.equal(
      textOf(`<tr${shown[1]}`).startsWith('×'),
      true,
      'a row without a key has no numbers',
    );
    assert.ok(shown[2].includes(`>${found.weights[1].toFixed(5)}<`), shown[2]);
    assert.match(spellRow(lookup, found, 2).lines[0], /^“cake”/);
    assert.equal(spellRow(lookup, found, 1).lines.length, 1);
  });

  it('says that there is nothing to look up', () => {
    for (const lookup of [
      { ...list, query: ' ' },
      { ...list, entries: [] },
    ]) {
      const found = lookUp(api, lookup);
      const html = written(h(SoftLookup, { lookup, found, chosen: 0, change() {}, pick() {} }));
      assert.match(textOf(html), /answer nothing to look up/);
      assert.equal(spellRow(lookup, found, 0), null);
    }
  });
});

// The grid of all heads, without a browser: which heads it has where, and the weight of a pair of words in each.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gridOf, pairWeights } from '../../../web/demo/page/views/head_grid.js';

/** Heads of layers with 2 × 3 weights, each weight 100 · layer + 10 · head + its position. */
const headsOf = (stack, layers, heads, [rows, columns] = [2, 3]) =>
  Array.from({ length: layers * heads }, (_, at) => {
    const [layer, head] = [Math.floor(at / heads), at % heads];
    const weights = Float32Array.from(
      { length: rows * columns },
      (__, i) => 100 * layer + 10 * head + i,
    );
    return {
      part: `${stack}.${layer}`,
      name: `${stack} ${layer + 1}`,
      head,
      rows,
      columns,
      weights,
    };
  });
const labels = (...texts) => texts.map((text) => ({ text }));
const picture = { part: 'cross.1', rows: labels('elle', 'est'), columns: labels('she', 'is', '.') };

describe('the grid of all heads', () => {
  it('has a row for each layer, also of different lengths', () => {
    const { lines, heads } = gridOf([...headsOf('cross', 2, 4), ...headsOf('encoder', 1, 3)]);
    assert.deepEqual(
      lines.map(([part, list]) => [part, list.map(({ head }) => head)]),
      [
        ['encoder.0', [0, 1, 2]],
        ['cross.0', [0, 1, 2, 3]],
        ['cross.1', [0, 1, 2, 3]],
      ],
    );
    assert.equal(heads, 4);
    assert.deepEqual(gridOf([]), { lines: [], heads: 0, isLarge: false });
  });

  it('has the layers in the order of the computation, whatever the picture is of', () => {
    const all = ['cross.1', 'cross.0', 'decoder.0', 'decoder.1', 'encoder.1', 'encoder.10'];
    const thumbnails = [...all, 'encoder.0'].map((part) => ({ part, head: 0 }));
    assert.deepEqual(
      gridOf(thumbnails).lines.map(([part]) => part),
      ['encoder.0', 'encoder.1', 'encoder.10', 'decoder.0', 'decoder.1', 'cross.0', 'cross.1'],
    );
  });

  it('has squares from the 65th head on, and for more than 12 in a row or column', () => {
    for (const [layers, heads, expected] of [
      [8, 8, false],
      [9, 4, false],
      [9, 8, true],
      [12, 12, true],
      [5, 13, true],
      [13, 1, true],
    ]) {
      assert.equal(
        gridOf(headsOf('self', layers, heads)).isLarge,
        expected,
        `${layers} × ${heads}`,
      );
    }
  });

  it('has the weight of the pair in each head with the same words', () => {
    const all = [
      ...headsOf('cross', 2, 2),
      ...headsOf('decoder', 1, 2, [2, 2]),
      ...headsOf('cross', 1, 1, [3, 3]),
    ];
    const { weights, largest, says } = pairWeights(all, picture, { row: 1, column: 2 });
    assert.deepEqual(weights, [5, 15, 105, 115, null, null, null]);
    assert.equal(largest, 115);
    assert.equal(says, '“est” on “.”');
  });

  it('takes sizes and texts from a picture of strings, and signed weights by their size', () => {
    const plain = { part: 'self.0', rows: ['a', 'b'], columns: ['a', 'b'] };
    const heads = [-4, 2].map((first, head) => ({
      ...{ part: 'self.0', head, weights: Float32Array.of(first, 0, 0, 0) },
    }));
    const { weights, largest, says } = pairWeights(heads, plain, { row: 0, column: 0 });
    assert.deepEqual([weights, largest, says], [[-4, 2], 4, '“a” on “a”']);
  });
});

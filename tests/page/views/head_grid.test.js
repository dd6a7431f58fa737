// The grid of all heads, without a browser: which heads it has where, which scores frame them, and which words stand beside
// the large one.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { h, textOf, written } from '../../support/js/components.js';

const { gridOf, wrapLines } = await import('../../../web/demo/page/views/head_grid.js');
const { HeadColors, scoreText, shareOf, strongestHeads } =
  await import('../../../web/demo/page/views/head_colors.jsx');
const { wordsBeside } = await import('../../../web/demo/page/views/head_large.jsx');
const { pooledText } = await import('../../../web/demo/page/views/head_of_picture.js');

const headsOf = (stack, layers, heads) =>
  Array.from({ length: layers * heads }, (_, at) => {
    const [layer, head] = [Math.floor(at / heads), at % heads];
    return { part: `${stack}.${layer}`, title: `${stack} ${layer + 1}`, head };
  });

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
    assert.deepEqual(gridOf([]), { lines: [], heads: 0 });
  });

  it('has the layers in the order of the computation, whatever the picture is of', () => {
    const all = ['cross.1', 'cross.0', 'decoder.0', 'decoder.1', 'encoder.1', 'encoder.10'];
    const thumbnails = [...all, 'encoder.0'].map((part) => ({ part, head: 0 }));
    assert.deepEqual(
      gridOf(thumbnails).lines.map(([part]) => part),
      ['encoder.0', 'encoder.1', 'encoder.10', 'decoder.0', 'decoder.1', 'cross.0', 'cross.1'],
    );
  });

  it('breaks a layer with more heads than fit, without losing one', () => {
    for (const [layers, heads, room, lengths] of [
      [2, 12, 12, [12, 12]],
      [1, 12, 7, [6, 6]],
      [1, 300, 16, [...Array(18).fill(16), 12]],
      [2, 3, 1, [1, 1, 1, 1, 1, 1]],
      [1, 2, 0, [1, 1]],
    ]) {
      const all = headsOf('self', layers, heads);
      const lines = gridOf(all).lines.map(([part, list]) => ({ part, heads: list }));
      const wrapped = wrapLines(lines, room);
      assert.deepEqual(
        wrapped.lines.map((line) => line.heads.length),
        lengths,
      );
      assert.equal(wrapped.heads, Math.max(...lengths));
      assert.deepEqual(
        wrapped.lines.flatMap((line) => line.heads),
        all,
      );
      for (const line of wrapped.lines) {
        assert.equal(line.first, line.heads[0].head);
        assert.equal(line.isPart, lengths.length > layers);
      }
    }
  });

  it('names the three strongest heads of a score, and leads to them', () => {
    const scored = [0.2, 0.9, null, 0.5, 0.7].map((previous, head) => ({
      ...{ part: 'self.1', title: 'Layer 2', head },
      scores: head === 2 ? null : { previous, first: 0, same: null, spread: 3 - head / 10 },
    }));
    const strongest = (by) => strongestHeads(scored, by).map(({ head }) => head.head);
    assert.deepEqual(strongest('previous'), [1, 4, 3]);
    assert.deepEqual(strongest('spread'), [0, 1, 3]);
    assert.deepEqual([strongest('same'), strongest('weights')], [[], []]);
    const given = { heads: scored, choose() {}, select() {} };
    const shown = (by) => textOf(written(h(HeadColors, { ...given, by })));
    assert.match(shown('previous'), /Layer 2, head 2 \(0\.90\).*Layer 2, head 5 \(0\.70\)/s);
    assert.match(shown('same'), /Not defined here/);
    assert.deepEqual([shareOf(0.4, 'first', 8), shareOf(1.5, 'spread', 8)], [0.4, 0.5]);
    assert.equal(shareOf(0, 'spread', 1), 0);
    const says = ['previous token 0.40', 'entropy 1.5 bits'];
    assert.deepEqual([scoreText(0.4, 'previous'), scoreText(1.5, 'spread')], says);
  });

  it('has words beside the large head: all, or some with the marked one in its place', () => {
    const words = (count) => Array.from({ length: count }, (_, at) => String(at));
    const textsOf = (list) => list.map(({ text }) => Number(text));
    assert.deepEqual(textsOf(wordsBeside(words(3), 1)), [0, 1, 2]);
    for (const count of [16, 17, 40, 510, 1024]) {
      for (const at of [-1, 0, 1, 13, count - 1]) {
        const list = wordsBeside(words(count), at);
        assert.equal(list.length, 16);
        textsOf(list).forEach((word, slot) => {
          assert.ok(
            word >= Math.floor((slot * count) / 16),
            `${word} in place ${slot} of ${count}`,
          );
          assert.ok(word < Math.floor(((slot + 1) * count) / 16), `${word} in place ${slot}`);
        });
        const marked = list.filter(({ isMarked }) => isMarked).map(({ text }) => Number(text));
        assert.deepEqual(marked, at < 0 ? [] : [at]);
      }
    }
    assert.deepEqual(wordsBeside([]), []);
  });

  it('says what a cell of a pooled picture is', () => {
    const whole = { rows: 40, columns: 12, cells: [40, 12] };
    assert.equal(pooledText([whole]), '');
    assert.equal(pooledText([]), '');
    assert.equal(
      pooledText([whole, { rows: 510, columns: 65, cells: [64, 64] }]),
      'Each cell of a small picture has the largest weight of up to 8 × 2 pairs.',
    );
  });
});

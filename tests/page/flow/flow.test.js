// The flow, without a browser: each step has the numbers of the library, from the products to the output of the layer.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { lexicalScale } from 'attention-wasm/text';
import { loadTranslator } from 'attention-wasm/translator';
import { kinds } from '../../../web/demo/kinds.js';
import { stagesOf } from '../../support/js/kind_stages.js';
import { asFloat32 } from '../../support/js/narrowed.js';
import { answerTo, flowOf } from '../../support/js/page_answer.js';
import { assertShows, numberOf, spell, wordsOf } from '../../support/js/page_numbers.js';

const { attention, MultiHeadAttention } = await loadAttention();
const translator = await loadTranslator();
const english = 'The red car is fast.';
const text = 'Zuko made his uncle tea, and his uncle liked the well-made tea';
const spelled = { source: 'ngrams', mode: 'self', text, merge: false, hideSpecial: false };

/** Last number of a line. */
const total = (line) => /= ([^=]+)$/.exec(line)[1];

describe('the flow', () => {
  it('has every number behind a weight, from the products to the output', async () => {
    const { rows, columns, q, k, v } = spell(text);
    const scale = 2 * lexicalScale;
    const { scores, weights, output } = attention(q, k, v, {
      ...{ heads: 2, scale, weights: true, scores: 'raw' },
    });
    const [row, column, head] = [4, 0, 1];
    const answer = await answerTo({ ...spelled, heads: 2, head, row, column });
    const { sums, cell, pair } = flowOf(answer);
    assert.equal(pair, `${rows[row]} → ${columns[column]}`);
    const at = (head * rows.length + row) * columns.length + column;
    const scaled = scores.data[at];
    const raw = scaled / scale;
    assertShows(cell.weight, weights.data[at], 'the weight');
    assertShows(cell.score, scaled, 'the score');
    assert.equal(cell['row-sum'], '1.00000');
    const [score] = sums.score;
    assertShows(total(score), raw, 'q·k');
    // The listed products are those of the vectors, largest first.
    const products = Array.from({ length: 32 }, (_, c) => {
      return q.data[row * 64 + 32 + c] * k.data[column * 64 + 32 + c];
    }).sort((a, b) => Math.abs(b) - Math.abs(a));
    const terms = score.split(' = ')[0].split(' + ').slice(0, 3);
    terms.forEach((term, index) => {
      const [a, b] = term.split(' × ').map((one) => numberOf(one).value);
      assert.ok(Math.abs(Math.abs(a * b) - Math.abs(products[index])) < 2e-3, `${term}`);
    });
    const steps = /^(\S+) × (\S+) = (\S+)$/.exec(sums.scale[0]);
    assertShows(steps[1], raw, 'the score');
    assertShows(steps[2], 8, 'the scale');
    assertShows(steps[3], scaled, 'the scaled score');
    const [soft, together] = sums.softmax;
    assertShows(total(soft), weights.data[at], 'the weight behind');
    assert.match(together, /1\.00000$/);
    assertShows(total(sums.moved[0]), output.data[row * 64 + 32], 'the output');
  });

  for (const { id: kind } of kinds) {
    it(`has the weight of the kind: ${kind}`, async () => {
      const [first, second] = ['My uncle made tea', 'made my tea'];
      const place = { mode: 'cross', text: first, context: second, row: 1, column: 2 };
      const { sums, cell } = flowOf(await answerTo({ ...spelled, ...place, kind }));
      const { weights, masked } = stagesOf(kind, spell(first, second));
      assertShows(cell.weight, weights[1 * 3 + 2], 'the weight');
      // The weights of other kinds are not made of scores.
      if (kind === 'softmax') assertShows(cell.score, masked[1 * 3 + 2], 'the score');
      else assert.equal(cell.score, undefined);
      assertShows(total(sums.softmax[0]), weights[1 * 3 + 2], 'the weight behind');
    });
  }

  it('has the boxes of its kind, one line of thought: no formula that the kind does not have', async () => {
    const [first, second] = ['My uncle made tea', 'made my tea'];
    const place = { mode: 'cross', text: first, context: second, row: 1, column: 2 };
    const whole = ['Vectors', 'Score', 'Scale and mask', 'Softmax', 'Weight', 'Value moved'];
    const [start, end] = [['Vectors'], ['Divided by the sum', 'Weight', 'Value moved']];
    const expected = {
      softmax: whole,
      elu: [...start, 'Score', ...end],
      efficient: [...start, ...end],
      gaussian: [...start, 'Similarity', ...end],
      laplacian: [...start, 'Similarity', ...end],
      cosine: [...start, 'Score', 'Similarity', ...end],
      polynomial: [...start, 'Score', 'Similarity', ...end],
    };
    for (const [kind, names] of Object.entries(expected)) {
      const { boxes, sums } = flowOf(await answerTo({ ...spelled, ...place, kind }));
      assert.deepEqual(
        boxes.map(([name]) => name),
        names,
        kind,
      );
      const glance = Object.fromEntries(boxes);
      const { q, k, scale } = spell(first, second);
      const width = q.data.length / 4;
      const dot = Array.from(
        { length: width },
        (_, c) => q.data[width + c] * k.data[2 * width + c],
      ).reduce((sum, product) => sum + product, 0);
      if (names.includes('Score') && kind !== 'elu') {
        assertShows(glance.Score.split('= ')[1], dot, kind, 1e-5);
      }
      if (kind === 'softmax') {
        assert.ok(glance['Scale and mask'].startsWith(`× ${scale} = `), glance['Scale and mask']);
        assertShows(glance['Scale and mask'].split('= ')[1], scale * dot, kind, 1e-5);
      } else if (glance.Similarity) {
        assertShows(glance.Similarity.split('= ')[1], total(sums.scale[0]), kind, 1e-5);
      }
      assert.equal(sums.mask !== undefined, kind === 'softmax', `${kind} hides nothing`);
    }
    const masked = { ...spelled, causal: true, row: 3 };
    const { boxes } = flowOf(await answerTo({ ...masked, column: 5 }));
    assert.equal(Object.fromEntries(boxes)['Scale and mask'], `× ${lexicalScale}, masked = −∞`);
    const linear = flowOf(await answerTo({ ...masked, kind: 'elu', column: 5 }));
    assert.equal(Object.fromEntries(linear.boxes).Mask, 'left out');
  });

  it('has the share of the marks, and says that a hidden word is hidden', async () => {
    const { rows, columns, q, k, v, scale } = spell(text);
    const { data } = attention(q, k, v, { scale, weights: true, causal: true }).weights;
    const state = { ...spelled, hideSpecial: true, causal: true, row: 6, column: 4 };
    const { cell } = flowOf(await answerTo(state));
    assertShows(cell.marks, data[6 * columns.length + rows.indexOf(',')], 'marks');
    assert.equal(cell['row-sum'], '1.00000');
    const { sums } = flowOf(await answerTo({ ...state, hideSpecial: false, column: 8 }));
    assert.equal(sums.mask[0], '“uncle” is hidden from “and”: its score becomes −∞');
    assert.equal(sums.mask[1], `visible: 7 of ${columns.length}`);
    assert.equal(sums.softmax[0], 'hidden: α = 0.00000');
  });
});

/** Expected output of a row: concatenated heads, and their product with W_O, which the page computes in floats. */
function togetherOf(part, row) {
  const { tensors, heads } = translator;
  const [stack, n] = part.split('.');
  const { vectors } = translator.translate(english, { vectors: true });
  const { x, context } = vectors[stack][n];
  const prefix = {
    encoder: `encoder.layers.${n}.self_attn.`,
    decoder: `decoder.layers.${n}.self_attn.`,
    cross: `decoder.layers.${n}.multihead_attn.`,
  }[stack];
  const layer = MultiHeadAttention.fromTorch(tensors, { heads, prefix });
  const { headOutputs } = layer.forward(x, context === x ? null : context, {
    causal: stack === 'decoder',
    headOutputs: true,
  });
  layer.delete();
  const [, rows, width] = headOutputs.dims.slice(-3);
  const joined = Array.from({ length: heads }, (_, head) => {
    const first = (head * rows + row) * width;
    return Array.from(headOutputs.data.subarray(first, first + width));
  }).flat();
  const { data: weight } = asFloat32(tensors.get(`${prefix}out_proj.weight`));
  const bias = tensors.get(`${prefix}out_proj.bias`).data;
  const result = Array.from(bias, (start, at) =>
    joined.reduce((sum, number, c) => sum + number * weight[at * joined.length + c], start),
  );
  return { joined, result, bias };
}

describe('the flow with the model', () => {
  const asRead = { source: 'model', text: english, merge: false, hideSpecial: false };

  for (const part of ['encoder.0', 'encoder.1', 'cross.1', 'cross.0', 'decoder.0']) {
    it(`has the concatenated heads of the selected row and their product with W_O: ${part}`, async () => {
      const mode = part.startsWith('encoder') ? 'self' : 'cross';
      const [row, head] = [2, 1];
      const answer = await answerTo({ ...asRead, mode, part, row, column: 1, head });
      const { joined, result, bias } = togetherOf(part, row);
      const { together } = answer.inspection;
      assert.equal(together.joined.length, joined.length);
      joined.forEach((number, at) => {
        assert.ok(Math.abs(together.joined[at] - number) < 1e-6, `joined ${at}`);
      });
      result.forEach((number, at) => {
        assert.ok(Math.abs(together.result[at] - number) < 1e-5, `result ${at}`);
      });
      const [from, sum, shares] = flowOf(answer).sums.heads;
      assert.match(from, /^Number 49 comes from head 2 and contributes/);
      assertShows(/contributes (\S+) ×/.exec(from)[1], joined[48], 'a number of the heads', 1e-6);
      assertShows(total(sum), result[0], 'a number of the result', 1e-5);
      const numbers = shares.match(/(?<=head \d )[−\d.e]+/g);
      assert.equal(numbers.length, translator.heads);
      const added = numbers.reduce((all, share) => all + numberOf(share).value, bias[0]);
      assert.ok(Math.abs(added - result[0]) < 0.003, `${added}, not ${result[0]}`);
    });
  }

  it('is without heads and W_O where there is none', async () => {
    const { sums } = flowOf(await answerTo({ ...spelled, row: 1, column: 0 }));
    assert.equal(sums.heads, undefined);
  });

  it('spells out what moved, which is the number of that stage', async () => {
    const [part, head] = ['cross.1', 1];
    const {
      source,
      target,
      vectors,
      attention: all,
    } = translator.translate(english, {
      vectors: true,
    });
    const { value } = vectors.cross[1];
    const { data: weights } = all.cross[1];
    const output = translator.tensors.get('decoder.layers.1.multihead_attn.out_proj.weight');
    const [, , width, valueDim] = value.dims;
    // W_O is out × in, int8 with a scale for each row.
    const lengthOf = (column) => {
      const v = value.data.subarray((head * width + column) * valueDim).subarray(0, valueDim);
      const sums = Array.from({ length: output.dims[0] }, (_, out) =>
        v.reduce((sum, number, i) => {
          const at = out * output.dims[1] + head * valueDim + i;
          return sum + number * output.data[at] * (output.scales?.[out] ?? 1);
        }, 0),
      );
      return Math.hypot(...sums);
    };
    const [rows, columns] = [target.tokens.length, source.tokens.length];
    const state = { ...asRead, mode: 'cross', part, head, stage: 'moved', row: 2, column: 1 };
    const answer = await answerTo(state);
    const { moved } = answer.picture.stages;
    const first = head * rows * columns;
    for (let at = 0; at < rows * columns; ++at) {
      const expected = weights[first + at] * lengthOf(at % columns);
      assert.ok(Math.abs(moved[first + at] - expected) < 1e-4, `${at}: ${moved[first + at]}`);
    }
    const { sums, cell } = flowOf(answer);
    const expected = moved[first + 2 * columns + 1];
    assertShows(total(sums.moved.find((line) => line.includes('√('))), expected, 'the step', 1e-4);
    assertShows(cell['moved-length'], expected, 'the cell', 1e-4);
    const other = flowOf(await answerTo({ ...state, stage: 'weights' }));
    assert.equal(other.cell['moved-length'], undefined);
  });

  it('puts together what moved of pieces: the sum over columns, the mean over rows', async () => {
    const elephant = 'The pink elephant tried.';
    const state = {
      source: 'model',
      mode: 'cross',
      text: elephant,
      part: 'cross.1',
      stage: 'moved',
    };
    const { source, target } = translator.translate(elephant);
    const [rows, columns] = [target, source].map(({ tokens }) => wordsOf(tokens).words);
    const own = rows.find((some) => some.length > 1);
    const others = columns.find((some) => some.length > 1) ?? columns[1];
    assert.ok(own, 'a word in pieces');
    const place = { row: own[0], column: others[0] };
    const apart = await answerTo({ ...state, ...place, merge: false, hideSpecial: false });
    const { moved } = apart.picture.stages;
    const count = source.tokens.length;
    const pairs = own.flatMap((row) => others.map((column) => moved[row * count + column]));
    const expected = pairs.reduce((sum, one) => sum + one, 0) / own.length;
    const { sums, cell } = flowOf(await answerTo({ ...state, ...place }));
    assertShows(cell['moved-length'], expected, 'the cell', 2e-5);
    const together = sums.moved.find((line) => line.startsWith('put together'));
    assert.equal(together.split(': ')[1], cell['moved-length']);
  });
});

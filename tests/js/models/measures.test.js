// rollout(), headScores() and compare(): numbers by hand, definitions in float64, and the same of a model's results.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { tensor, toNested } from 'attention-wasm';
import { compare, headScores, rollout } from 'attention-wasm/models';

import { seeded } from '../../support/js/random_tensors.js';

const { uniform: random } = seeded(5);

/** Causal weights of one layer: heads × n × n, rows sum to 1. */
const weightsOf = (heads, n) =>
  tensor(
    Array.from({ length: heads }, () =>
      Array.from({ length: n }, (_, i) => {
        const row = Array.from({ length: n }, (__, j) => (j <= i ? 0.1 + random() : 0));
        const sum = row.reduce((a, b) => a + b);
        return row.map((weight) => weight / sum);
      }),
    ),
  );

const near = (got, expected, tolerance = 1e-6) => {
  assert.equal(got.length, expected.length);
  for (const [at, number] of expected.entries()) {
    assert.ok(Math.abs(got[at] - number) <= tolerance, `${at}: ${got[at]}, expected ${number}`);
  }
};

describe('rollout()', () => {
  it('multiplies the mean of the heads and the identity, layer by layer', () => {
    const layers = [weightsOf(3, 5), weightsOf(2, 5), weightsOf(4, 5)];
    let expected = [0, 1, 2, 3, 4].map((i) => [0, 1, 2, 3, 4].map((j) => Number(i === j)));
    for (const layer of layers) {
      const heads = toNested(layer);
      const mixing = expected.map((_, i) =>
        expected.map((__, j) => {
          const mean = heads.reduce((sum, head) => sum + head[i][j], 0) / heads.length;
          return (mean + Number(i === j)) / 2;
        }),
      );
      const before = expected;
      expected = mixing.map((row) =>
        row.map((_, j) => row.reduce((sum, weight, k) => sum + weight * before[k][j], 0)),
      );
    }
    const { data, dims } = rollout(layers);
    assert.deepEqual(dims, [5, 5]);
    near(data, expected.flat());
    for (const row of toNested({ data, dims })) near([row.reduce((a, b) => a + b)], [1]);
  });

  it('without the residual connection is a product of means', () => {
    const swap = tensor([
      [0, 1],
      [1, 0],
    ]);
    const first = tensor([
      [
        [1, 0],
        [0.5, 0.5],
      ],
    ]);
    assert.deepEqual(toNested(rollout([first, swap], { residual: false })), [
      [0.5, 0.5],
      [1, 0],
    ]);
  });

  it('refuses what is not the weights of layers of one length', () => {
    assert.throws(() => rollout(undefined), { name: 'TypeError', message: /^attentions must be/ });
    assert.throws(() => rollout([tensor([[1, 0]])]), { name: 'RangeError', message: /1×2/ });
    assert.throws(() => rollout([weightsOf(1, 2), weightsOf(1, 3)]), {
      name: 'RangeError',
      message: /^attentions\[1\]/,
    });
  });
});

describe('headScores()', () => {
  const ids = [3, 8, 3, 8, 5];
  const positions = {
    previous_token: [[1, 0], [2, 1], [3, 2], [4, 3]], // prettier-ignore
    duplicate_token: [[2, 0], [3, 1]], // prettier-ignore
    induction: [[2, 1], [3, 2]], // prettier-ignore
  };
  const layers = [weightsOf(2, 5), weightsOf(2, 5)];
  const heads = layers.flatMap((layer) => toNested(layer));
  const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);

  for (const [name, ones] of Object.entries(positions)) {
    const pattern = ids.map(() => ids.map(() => 0));
    for (const [i, j] of ones) pattern[i][j] = 1;
    it(`has the proportion of weight on ${name}, by name and as a tensor`, () => {
      for (const excludeFirst of [false, true]) {
        const cells = (head, measure) =>
          sum(
            head.flatMap((row, i) =>
              row.map((weight, j) =>
                excludeFirst && j === 0 ? 0 : measure(weight, pattern[i][j]),
              ),
            ),
          );
        const expected = heads.map((head) => cells(head, (a, p) => a * p) / cells(head, (a) => a));
        const { data, dims } = headScores(layers, ids, name, { excludeFirst });
        assert.deepEqual(dims, [2, 2]);
        near(data, expected);
        near(headScores(layers, ids, tensor(pattern), { excludeFirst }).data, expected);
        const differences = heads.map((head) => 1 - cells(head, (a, p) => Math.abs(a - p)) / 5);
        near(
          headScores(layers, ids, name, { excludeFirst, measure: 'abs' }).data,
          differences,
          6e-4,
        );
      }
    });
  }

  it('is 1 for a head that is the pattern', () => {
    const head = tensor([[[1, 0], [1, 0]]]); // prettier-ignore
    assert.deepEqual([...headScores([head], [4, 4], tensor([[1, 0], [1, 0]])).data], [1]); // prettier-ignore
  });

  it('refuses other patterns, ids and shapes', () => {
    assert.throws(() => headScores(layers, ids, 'next'), {
      name: 'RangeError',
      message: /^pattern/,
    });
    assert.throws(() => headScores(layers, [1], 'induction'), {
      name: 'TypeError',
      message: /^ids/,
    });
    assert.throws(() => headScores(layers, ids, tensor([[1]])), {
      message: /^pattern has dims 1×1/,
    });
    assert.throws(() => headScores([tensor([[[1]], [[1]]]), tensor([[[1]]])], [1], 'induction'), {
      name: 'RangeError',
      message: /^attentions\[1\] has 1 heads but attentions\[0\] has 2$/,
    });
  });
});

describe('compare()', () => {
  const softmax = (row) => {
    const sum = row.reduce((total, logit) => total + Math.exp(logit), 0);
    return row.map((logit) => Math.exp(logit) / sum);
  };
  const rowsOfA = [[0, 5, 1, 2], [1, -2, 0.5, 3]]; // prettier-ignore
  const rowsOfB = [[4, 0, 1, 2], [0.5, 2, -1, 3]]; // prettier-ignore
  const a = { logits: tensor(rowsOfA) };
  const b = { logits: tensor(rowsOfB) };

  it('has the measures of one position, by default the last', () => {
    for (const [position, row] of [
      [undefined, 1],
      [0, 0],
    ]) {
      const got = compare(a, b, { token: 1, against: 3, position });
      const [p, q] = [softmax(rowsOfA[row]), softmax(rowsOfB[row])];
      assert.deepEqual(got.logits, [rowsOfA[row][1], rowsOfB[row][1]]);
      assert.deepEqual(got.ranks, row === 1 ? [3, 1] : [0, 3]);
      near(got.probabilities, [p[1], q[1]]);
      near(got.logitDifferences, [
        rowsOfA[row][1] - rowsOfA[row][3],
        rowsOfB[row][1] - rowsOfB[row][3],
      ]);
      const divergence = p.reduce((total, at, id) => total + at * Math.log(at / q[id]), 0);
      const variation = p.reduce((total, at, id) => total + Math.abs(at - q[id]) / 2, 0);
      near([got.divergence, got.variation], [divergence, variation]);
    }
  });

  it('is 0 for a run and itself, also with tokens that cannot follow', () => {
    const c = { logits: tensor([[1000, -Infinity, 999]]) };
    const got = compare(c, c, { token: 2 });
    assert.deepEqual([got.divergence, got.variation], [0, 0]);
    near(got.probabilities, [1 / (1 + Math.E), 1 / (1 + Math.E)]);
    assert.equal('logitDifferences' in got, false);
  });

  it('is NaN where a logit is NaN or +∞, and refuses runs without numbers', () => {
    for (const wrong of [NaN, Infinity]) {
      const c = { logits: tensor([[wrong, 1, 2]]) };
      for (const [x, y] of [
        [c, c],
        [c, { logits: tensor([[0, 1, 2]]) }],
      ]) {
        const got = compare(x, y, { token: 1 });
        assert.deepEqual([got.divergence, got.variation], [NaN, NaN]);
        assert.deepEqual([got.ranks[0], got.probabilities[0]], [NaN, NaN]);
      }
    }
    const none = { logits: { data: new Float32Array(0), dims: [0, 3] } };
    assert.throws(
      () => compare(none, none, { token: 0 }),
      /^RangeError: a\.logits has no numbers: 0×3/,
    );
  });

  it('refuses runs without logits, other positions and other tokens', () => {
    assert.throws(() => compare({}, b, { token: 1 }), { name: 'TypeError', message: /^a has no/ });
    assert.throws(() => compare(a, b, { token: 4 }), { name: 'RangeError', message: /^token/ });
    assert.throws(() => compare(a, b, { token: 1, position: 2 }), { message: /^position/ });
    assert.throws(() => compare(a, b), { name: 'TypeError', message: /'token'/ });
    const short = { logits: tensor([[1, 2]]) };
    assert.throws(() => compare(a, short, { token: 1 }), {
      name: 'RangeError',
      message: /^a has 4/,
    });
  });
});

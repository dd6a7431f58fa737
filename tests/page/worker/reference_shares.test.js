// Reference shares of the model's heads against the library's weights, arranged by a second implementation; and the
// label of a head, made of its share here and its reference share.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { loadAttention } from 'attention-wasm';
import { loadTranslator } from 'attention-wasm/translator';
import { wordsOf } from '../../support/js/page_numbers.js';
import { referenceShares, sentences } from '../../../web/demo/worker/compute/reference_shares.js';
import { rolesOf } from '../../../web/demo/worker/compute/head_roles.js';

const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length;

/** { marks, previous, next, itself, sharpest } of one head of the encoder in one sentence. */
function sharesOf({ source, attention }, layer, head) {
  const { data, dims } = attention.encoder[layer];
  const size = dims.at(-1);
  const { words, marks } = wordsOf(source.tokens);
  const share = (some, others) =>
    mean(some.map((i) => others.reduce((sum, j) => sum + data[(head * size + i) * size + j], 0)));
  const off = (distance) =>
    mean(
      words.flatMap((some, at) =>
        words[at + distance] ? [share(some, words[at + distance])] : [],
      ),
    );
  return {
    ...{ marks: mean(words.map((some) => share(some, marks))) },
    ...{ itself: off(0), previous: off(-1), next: off(1) },
    sharpest: mean(
      words.map((some) => Math.max(...[...words, marks].map((one) => share(some, one)))),
    ),
  };
}

describe('reference shares', () => {
  it('are the means over the fixed sentences', async () => {
    const shares = await referenceShares(await loadAttention());
    const translator = await loadTranslator();
    const results = sentences.map((sentence) => translator.encode(sentence));
    for (const layer of [0, 1, 4]) {
      shares[`encoder.${layer}`].forEach((found, head) => {
        const all = results.map((result) => sharesOf(result, layer, head));
        for (const [name, share] of Object.entries(found)) {
          const want = mean(all.map((one) => one[name]));
          assert.ok(Math.abs(share - want) < 1e-4, `${layer}.${head} ${name}: ${share}, ${want}`);
        }
        assert.equal(Object.keys(found).length, 5);
      });
    }
    for (const list of Object.values(shares)) assert.equal(list.length, translator.heads);
  });
});

describe('the role of a head', () => {
  const labels = ['a', 'b', 'c'].map((text, word) => ({ text, word, special: false }));
  const tokens = [[0], [1], [2]];
  const picture = { rows: labels, columns: labels, rowTokens: tokens, columnTokens: tokens };
  // Each word attends to the previous one, the first to itself.
  const back = Float32Array.of(1, 0, 0, 0.9, 0.1, 0, 0, 0.7, 0.3);
  const roleOf = (general) => rolesOf(picture, back, 0, general && [general])[0];

  it('is based on this text without reference shares', () => {
    const { says, share, general } = roleOf();
    assert.deepEqual([says, general], ['previous word', undefined]);
    assert.ok(Math.abs(share - 0.8) < 1e-6);
  });

  it('is the head’s role in the reference sentences, with both numbers', () => {
    const next = roleOf({ itself: 0.1, previous: 0.2, next: 0.6, sharpest: 0.7 });
    assert.deepEqual([next.says, next.share, next.general], ['next word', 0, 0.6]);
    const sharp = roleOf({ itself: 0.1, previous: 0.2, next: 0.3, sharpest: 0.55 });
    assert.deepEqual([sharp.says, sharp.general], ['mostly one word per row', 0.55]);
    const spread = roleOf({ itself: 0.1, previous: 0.2, next: 0.3, sharpest: 0.35 });
    assert.deepEqual([spread.says, spread.of, spread.general], ['spread out', 'largest', 0.35]);
    assert.ok(Math.abs(spread.share - (1 + 0.9 + 0.7) / 3) < 1e-6);
    const marks = roleOf({ marks: 0.5, sharpest: 0.5 });
    assert.deepEqual([marks.says, marks.share, marks.general], ['mostly marks', null, 0.5]);
  });
});

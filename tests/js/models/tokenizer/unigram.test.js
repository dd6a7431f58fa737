// attention-wasm/models: Unigram, compared with all ways to divide a word.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Unigram } from '../../../../web/lib/models/tokenizer/unigram.js';
import { seeded } from '../../../support/js/random_tensors.js';

/** The largest sum of scores over all divisions of a word. */
function bestSum(word, scores) {
  if (word === '') return 0;
  let best = -Infinity;
  for (let end = 1; end <= word.length; end++) {
    const score = scores.get(word.slice(0, end));
    if (score !== undefined) best = Math.max(best, score + bestSum(word.slice(end), scores));
  }
  return best;
}

describe('Unigram', () => {
  it('finds the division with the largest sum', () => {
    const random = seeded('unigram');
    for (let n = 0; n < 50; n++) {
      const scores = new Map([['?', 0]]);
      for (const letter of 'abc') scores.set(letter, -random.integer(1, 64) / 4);
      for (let k = 0; k < 12; k++) {
        const text = Array.from(
          { length: random.integer(2, 4) },
          () => 'abc'[random.integer(0, 2)],
        );
        scores.set(text.join(''), -random.integer(1, 128) / 4);
      }
      const vocab = [...scores];
      const model = new Unigram({ vocab, unk_id: 0, byte_fallback: false });
      const word = Array.from({ length: 10 }, () => 'abc'[random.integer(0, 2)]).join('');
      const { ids, starts, ends } = model.encode(word);
      assert.equal(ids.map((_, at) => word.slice(starts[at], ends[at])).join(''), word);
      const sum = ids.reduce((total, id) => total + vocab[id][1], 0);
      assert.equal(sum, bestSum(word, scores));
    }
  });

  it('has one token for unknown neighbors, or their bytes', () => {
    const vocab = ['?', 'a', '<0xF0>', '<0x9F>', '<0x8D>', '<0xA3>'].map((text) => [text, -1]);
    const of = (byte_fallback, word) => {
      const { ids, starts, ends } = new Unigram({ vocab, unk_id: 0, byte_fallback }).encode(word);
      return ids.map((id, n) => `${vocab[id][0]} ${starts[n]}-${ends[n]}`).join(' ');
    };
    assert.equal(of(false, 'axya'), 'a 0-1 ? 1-3 a 3-4');
    assert.equal(of(true, 'a🍣'), 'a 0-1 <0xF0> 1-3 <0x9F> 1-3 <0x8D> 1-3 <0xA3> 1-3');
    assert.equal(of(true, 'ax'), 'a 0-1 ? 1-2');
    const without = new Unigram({ vocab, unk_id: null, byte_fallback: false });
    assert.throws(() => without.encode('ax'), { name: 'RangeError', message: /no unk_id$/ });
  });
});

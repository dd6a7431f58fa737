// attention-wasm/models: byte-pair encoding, compared with a search of the whole word for each merge.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BytePairs } from '../../../../web/lib/models/tokenizer/byte_pairs.js';
import { Vocabulary } from '../../../../web/lib/models/tokenizer/vocabulary.js';
import { seeded } from '../../../support/js/random_tensors.js';

/** BPE as Sennrich et al. describe it: the first pair of the lowest rank is merged until there is none. */
function mergedOneByOne(word, merges) {
  const tokens = [...word];
  for (;;) {
    let best;
    for (let at = 0; at + 1 < tokens.length; at++) {
      const rank = merges.findIndex(([a, b]) => a === tokens[at] && b === tokens[at + 1]);
      if (rank >= 0 && (best === undefined || rank < best.rank)) best = { rank, at };
    }
    if (best === undefined) return tokens;
    tokens.splice(best.at, 2, tokens[best.at] + tokens[best.at + 1]);
  }
}

/** A model of these merges over an alphabet. */
function made(alphabet, merges, fields = {}) {
  const tokens = [...new Set([...alphabet, ...merges.map((pair) => pair.join(''))])];
  return new BytePairs({ vocab: new Vocabulary(tokens), merges, unk_token: null, ...fields });
}

const spelled = (model, word) => model.encode(word).ids.map((id) => model.vocabulary.tokenOf(id));

describe('BytePairs', () => {
  it('merges as a search of the whole word does', () => {
    const random = seeded('merges');
    const letters = ['a', 'b', 'c', '日', '😀'];
    for (let n = 0; n < 100; n++) {
      const known = [...letters];
      const merges = [];
      while (merges.length < 12) {
        const pair = [0, 1].map(() => known[random.integer(0, known.length - 1)]);
        if (merges.some((other) => other.join(' ') === pair.join(' '))) continue;
        merges.push(pair);
        known.push(pair.join(''));
      }
      const model = made(letters, merges);
      for (let k = 0; k < 20; k++) {
        const word = Array.from(
          { length: random.integer(1, 30) },
          () => letters[random.integer(0, 4)],
        ).join('');
        const { ids, starts, ends } = model.encode(word);
        const tokens = mergedOneByOne(word, merges);
        assert.deepEqual(spelled(model, word), tokens, word);
        assert.equal(model.encode(word).ids, ids); // from the cache
        assert.deepEqual(
          tokens,
          ids.map((_, at) => word.slice(starts[at], ends[at])),
        );
      }
    }
  });

  it('has a token for unknown characters, one for several, bytes for them, or none', () => {
    const bytes = ['<0xC3>', '<0xA9>'];
    const of = (fields, word) => {
      const model = made(['?', 'a', ...bytes], [], fields);
      const { ids, starts, ends } = model.encode(word);
      return ids
        .map((id, n) => `${model.vocabulary.tokenOf(id)} ${starts[n]}-${ends[n]}`)
        .join(' ');
    };
    assert.equal(of({ unk_token: '?' }, 'aééa'), 'a 0-1 ? 1-2 ? 2-3 a 3-4');
    assert.equal(of({ unk_token: '?', fuse_unk: true }, 'aééa'), 'a 0-1 ? 1-3 a 3-4');
    assert.equal(of({ byte_fallback: true }, 'aéa'), 'a 0-1 <0xC3> 1-2 <0xA9> 1-2 a 2-3');
    assert.equal(of({ byte_fallback: true, unk_token: '?' }, 'aèa'), 'a 0-1 ? 1-2 a 2-3');
    assert.equal(of({}, 'éa'), 'a 0-1'); // the Rust library, too, moves what follows to the left
    assert.throws(() => of({ unk_token: '!' }, 'é'), {
      name: 'RangeError',
      message: "the text has a character without a token, and the vocabulary has no '!'",
    });
  });

  it('marks words inside and at their end, and finds whole words first', () => {
    const vocab = new Vocabulary(['l', '##o', '##w', 'lo', 'low', 'w</w>', 'o', 'ow']);
    const merges = [
      ['l', '##o'],
      ['lo', '##w'],
    ];
    const inside = new BytePairs({
      vocab,
      merges,
      unk_token: null,
      continuing_subword_prefix: '##',
    });
    assert.deepEqual(spelled(inside, 'low'), ['low']);
    const end = new BytePairs({ vocab, merges: [], unk_token: null, end_of_word_suffix: '</w>' });
    assert.deepEqual(spelled(end, 'ow'), ['o', 'w</w>']);
    const whole = new BytePairs({ vocab, merges: [], unk_token: null, ignore_merges: true });
    assert.deepEqual(spelled(whole, 'low'), ['low']);
  });

  it('refuses merges of tokens that the vocabulary has not', () => {
    assert.throws(() => made(['a'], [['a', 'b']]), {
      name: 'RangeError',
      message: "merges[0] of BPE has the token 'b', which vocab has not",
    });
  });
});

// attention-wasm/models: the vocabulary, compared with a Map.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Vocabulary } from '../../../../web/lib/models/tokenizer/vocabulary.js';
import { seeded } from '../../../support/js/random_tensors.js';

describe('Vocabulary', () => {
  it('finds tokens and ids as a Map does, the last ones where they repeat', () => {
    const random = seeded('tokens');
    const parts = ['', 'a', 'b', 'ab', 'é', '\u0301', '😀', '\ud83d', '\0', '__proto__'];
    const word = () =>
      Array.from(
        { length: random.integer(0, 3) },
        () => parts[random.integer(0, parts.length - 1)],
      ).join('');
    for (const count of [0, 1, 2, 300, 5000]) {
      const tokens = Array.from({ length: count }, word);
      const ids = tokens.map(() => random.integer(0, 2 * count));
      const vocabulary = new Vocabulary(tokens, ids);
      const idOf = new Map(tokens.map((token, at) => [token, ids[at]]));
      const tokenOf = new Map(ids.map((id, at) => [id, tokens[at]]));
      assert.equal(vocabulary.largest, Math.max(-1, ...ids));
      for (const token of [...tokens, ...parts, 'abc', word()]) {
        assert.equal(vocabulary.idOf(token), idOf.get(token), JSON.stringify(token));
      }
      for (let id = 0; id < 2 * count + 2; id++) {
        assert.equal(vocabulary.tokenOf(id), tokenOf.get(id), `${id}`);
      }
    }
    assert.equal(new Vocabulary(['a', 'b']).idOf('b'), 1);
  });
});

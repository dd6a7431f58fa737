// attention-wasm/models: added tokens in a text. Expectations are results of the Rust library.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextTokens } from '../../../../web/lib/models/tokenizer/text_tokens.js';

const model = {
  ...{ type: 'WordLevel', unk_token: '?' },
  vocab: { '?': 0, banana: 1, a: 2 },
};
const words = { model, pre_tokenizer: { type: 'WhitespaceSplit' } };

/** Tokens with the text of their spans: 'token:text'. */
function tokens(text, added, { config, ...description } = {}) {
  const listed = added.map((token, n) => ({ id: 3 + n, ...token }));
  const made = new TextTokens({ ...words, added_tokens: listed, ...description }, config);
  const { tokens: found, spans } = made.encode(text);
  return found.map((token, n) => `${token}:${text.slice(...spans[n])}`).join('|');
}

describe('added tokens', () => {
  for (const [what, text, added, expected, description] of [
    ['are found within words', 'banana', [{ content: 'an' }], '?:b|an:an|an:an|a:a'],
    [
      'may be single words',
      'an banana',
      [{ content: 'an', single_word: true }],
      'an:an|banana:banana',
    ],
    [
      'may be single words beyond ASCII',
      'éan an',
      [{ content: 'an', single_word: true }],
      '?:éan|an:an',
    ],
    ['are the longest ones', 'abc', [{ content: 'ab' }, { content: 'abc' }], 'abc:abc'],
    [
      'may take the spaces beside them',
      'a <x> a',
      [{ content: '<x>', lstrip: true, rstrip: true }],
      'a:a|<x>:<x>|a:a',
    ],
    [
      'match the text as it is written',
      'AB ab',
      [{ content: 'AB', normalized: false }],
      'AB:AB|?:ab',
      { normalizer: { type: 'Lowercase' } },
    ],
    [
      'or match the normalized text',
      'AB ab',
      [{ content: 'AB', normalized: true }],
      'ab:AB|ab:ab',
      { normalizer: { type: 'Lowercase' } },
    ],
    [
      'are, if they are special, found as written',
      'X x',
      [{ content: 'X', special: true }],
      'X:X|?:x',
      { normalizer: { type: 'Lowercase' } },
    ],
  ]) {
    it(what, () => assert.equal(tokens(text, added, description), expected));
  }

  it('may stand in added_tokens_decoder of tokenizer_config.json only', () => {
    const end = {
      content: '<|end|>',
      special: true,
      lstrip: false,
      rstrip: false,
      normalized: false,
    };
    const config = { added_tokens_decoder: { 0: { content: '?', special: true }, 3: end } };
    assert.equal(tokens('a<|end|>a', [], { config }), 'a:a|<|end|>:<|end|>|a:a');
    const made = new TextTokens(words, config);
    assert.deepEqual([made.size, made.decode([2, 3, 2])], [4, 'a a']);
  });

  it('have the id of the vocabulary if it has them', () => {
    for (const special of [false, true]) {
      const added = [
        { id: 9, content: 'a', special },
        { id: 3, content: '<x>' },
      ];
      const made = new TextTokens({ ...words, added_tokens: added });
      const { ids, tokens: found } = made.encode('a<x> b');
      assert.deepEqual(
        [ids, found],
        [
          [2, 3, 0],
          ['a', '<x>', '?'],
        ],
      );
      assert.equal(made.decode([2, 3, 9]), special ? '<x>' : 'a <x>');
      assert.equal(made.specialIdOf('a'), special ? 2 : undefined);
      assert.equal(made.size, 4);
    }
  });

  it('are refused if nothing is left of them', () => {
    assert.throws(() => tokens('a', [{ content: ' ' }], { normalizer: { type: 'Strip' } }), {
      name: 'RangeError',
      message: /the normalizer leaves nothing of the added token ' '/,
    });
  });
});

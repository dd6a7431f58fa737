// The limit of TextTokens.encode(): special tokens stay, of a pair the longer text is cut first. The ids are those that the
// Rust library gives for these descriptions and lengths.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextTokens } from '../../../../web/lib/models/tokenizer/text_tokens.js';

const tokens = ['<s>', '</s>', '?', ...'abcdefghi'];
const vocab = Object.fromEntries(tokens.map((token, id) => [token, id]));
const special = { cls: ['<s>', 0], sep: ['</s>', 1] };
const description = (post_processor) => ({
  pre_tokenizer: { type: 'WhitespaceSplit' },
  post_processor,
  model: { type: 'WordLevel', vocab, unk_token: '?' },
});
const bert = description({ type: 'BertProcessing', ...special });
const roberta = description({ type: 'RobertaProcessing', ...special });
const encode = (tokenizer, texts, limit) => {
  const { ids } = tokenizer.encode(texts[0], texts[1], limit);
  return ids.map((id) => (id < 2 ? '|' : tokens[id])).join('');
};

describe('a limit of ids', () => {
  it('cuts texts, not special tokens', () => {
    const text = ['a b c d e'];
    const pairs = ['a b c d e', 'f g h'];
    for (const [made, texts, limit, expected] of [
      [bert, text, 7, '|abcde|'],
      [bert, text, 6, '|abcd|'],
      [bert, text, 2, '||'],
      [description(null), text, 3, 'abc'],
      [bert, pairs, 11, '|abcde|fgh|'],
      [bert, pairs, 10, '|abcd|fgh|'],
      [bert, pairs, 9, '|abc|fgh|'],
      [bert, pairs, 8, '|abc|fg|'],
      [bert, pairs, 4, '|a||'],
      [bert, pairs.toReversed(), 10, '|fgh|abcd|'],
      [bert, pairs.toReversed(), 8, '|fg|abc|'],
      [bert, ['a b c d', 'f g h i'], 10, '|abc|fghi|'],
      [bert, ['a b c d', 'f g h i'], 8, '|ab|fgh|'],
      [bert, ['a b c d', 'f'], 6, '|ab|f|'],
      [bert, ['a', 'f g h i'], 5, '|a|f|'],
      [roberta, pairs, 9, '|abc||fg|'],
    ]) {
      const tokenizer = new TextTokens(made, {});
      assert.equal(encode(tokenizer, texts, limit), expected, `${texts} in ${limit}`);
      assert.equal(encode(tokenizer, texts), encode(tokenizer, texts, 100));
    }
  });

  it('removes tokens at the side that tokenizer_config.json names', () => {
    const left = new TextTokens(bert, { truncation_side: 'left' });
    assert.equal(encode(left, ['a b c d e'], 5), '|cde|');
    assert.equal(encode(left, ['a b c d e', 'f g h'], 8), '|cde|gh|');
    assert.throws(() => new TextTokens(bert, { truncation_side: 'middle' }), {
      name: 'RangeError',
      message: /'truncation_side' of tokenizer_config\.json must be 'right' or 'left'/,
    });
  });

  it('keeps the spans of what is left', () => {
    const { spans, parts } = new TextTokens(bert, { truncation_side: 'left' }).encode(
      'a b c',
      'd',
      6,
    );
    assert.deepEqual(spans.slice(1, 3), [
      [2, 3],
      [4, 5],
    ]);
    assert.deepEqual(parts, [0, 0, 0, 0, 1, 1]);
  });

  it('below the number of special tokens is an error', () => {
    assert.throws(() => new TextTokens(bert, {}).encode('a', 'b', 2), {
      name: 'RangeError',
      message: /^the limit is 2 tokens, but 3 special tokens/,
    });
  });
});

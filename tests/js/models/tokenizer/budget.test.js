// attention-wasm/models: cost limits of an untrusted tokenizer.json, which published ones do not reach.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { TextTokens } from '../../../../web/lib/models/tokenizer/text_tokens.js';
import { sentencePieceComponents } from '../../../../web/lib/models/tokenizer/vocabulary_files/sentence_piece/convert.js';
import { characterMapBytes } from '../../../support/js/character_map_bytes.js';

const vocab = { '?': 0, a: 1 };
const words = { type: 'WordLevel', vocab, unk_token: '?' };
const pieces = { type: 'WordPiece', vocab, unk_token: '?', continuing_subword_prefix: '##' };
const pairs = { type: 'BPE', vocab, unk_token: '?', merges: [] };
const times = (count, one) => Array.from({ length: count }, () => one);
const replace = (pattern, content) => ({ type: 'Replace', pattern, content });
const doubled = replace({ String: 'a' }, 'aa');
const whole = { Sequence: { id: 'A', type_id: 0 } };
const a = { id: 'a', ids: [1], tokens: ['a'] };
const template = (single) => ({
  ...{ type: 'TemplateProcessing', single },
  ...{ pair: [], special_tokens: { a } },
});
const bytes = { type: 'ByteLevel', add_prefix_space: false, use_regex: false };
const steps = {
  normalizer: (all) => ({ normalizer: { type: 'Sequence', normalizers: all } }),
  words: (all) => ({ pre_tokenizer: { type: 'Sequence', pretokenizers: all } }),
  ends: (all) => ({ post_processor: { type: 'Sequence', processors: all } }),
  decoder: (all) => ({ decoder: { type: 'Sequence', decoders: all } }),
};

/** Tokens of a text from a new tokenizer, and their decoded text. */
function used(description, text = 'a éa') {
  const spaced = { model: words, pre_tokenizer: { type: 'Whitespace' } };
  const made = new TextTokens({ ...spaced, ...description }, {});
  const { ids, tokens } = made.encode(text);
  return { tokens, text: made.decode(ids) };
}

const tooMuch = {
  'a normalizer that doubles': steps.normalizer(times(40, doubled)),
  'words whose bytes become characters, again and again': steps.words(times(40, bytes)),
  'an added token that is doubled': {
    ...steps.normalizer(times(40, doubled)),
    added_tokens: [{ id: 2, content: 'aaa' }],
  },
  'one replacement that is large': steps.normalizer([replace({ String: 'a' }, 'a'.repeat(2e6))]),
  'a template of 100,000 texts': { post_processor: template(times(100_000, whole)) },
  'a decoder that doubles': steps.decoder(times(40, doubled)),
  'more steps than any has': steps.normalizer(times(101, { type: 'NFC' })),
  'steps within steps': times(101).reduce(
    ({ normalizer }) => steps.normalizer([normalizer ?? { type: 'NFC' }]),
    {},
  ),
  'a space of two characters': { pre_tokenizer: { type: 'Metaspace', replacement: '__' } },
  ...Object.fromEntries(
    [0, -1, 0.5, null, '1'].map((length) => [
      `words of ${length} characters`,
      { pre_tokenizer: { type: 'FixedLength', length } },
    ]),
  ),
  'long words': { model: { ...pieces, max_input_chars_per_word: 257 } },
  'a long prefix': { model: { ...pieces, continuing_subword_prefix: '#'.repeat(257) } },
  'a long end': { model: { ...pairs, end_of_word_suffix: '#'.repeat(257) } },
};

describe('tokenizers that expand text', () => {
  for (const [what, description] of Object.entries(tooMuch)) {
    it(`are refused: ${what}`, () => {
      assert.throws(() => used(description), { name: 'RangeError', message: /^tokenizer\.json / });
    });
  }

  it('count spaces that are removed again', () => {
    const map = Buffer.from(characterMapBytes([['a', ' '.repeat(90_000)]]), 'base64');
    const options = { map, removesSpaces: true, addsPrefix: false, escapesSpaces: true };
    const pieces = [{ text: '?', score: 0, type: 2 }];
    const description = {
      normalizer: { type: 'SentencePiece', options, symbols: [] },
      model: { type: 'SentencePiece', kind: 'unigram', pieces, hasBytes: false },
    };
    const made = new TextTokens(description, {}, { components: sentencePieceComponents });
    assert.deepEqual(made.encode('aaa').ids, []);
    assert.throws(() => made.encode('a'.repeat(1000)), {
      name: 'RangeError',
      message: /produce more than/,
    });
  });

  it('limit the cost of one text, not of several together', () => {
    // Twelve doublings of one character make 4,096, those of 2,000 characters eight million.
    const description = {
      ...steps.normalizer(times(12, doubled)),
      added_tokens: [{ id: 2, content: '|', normalized: false }],
    };
    const made = new TextTokens({ model: words, ...description }, {});
    for (let n = 0; n < 300; n++) made.encodePlain('a');
    assert.throws(() => made.encodePlain('a|'.repeat(1000)), RangeError);
    assert.throws(() => made.encode('a', '|a'.repeat(1000)), RangeError);
  });
});

describe('published tokenizers', () => {
  it('may have a hundred steps and parts of a template', () => {
    const tokens = ['a', 'a'];
    for (const description of [
      steps.normalizer(times(99, { type: 'NFC' })),
      {
        post_processor: template([whole, ...times(99, { SpecialToken: { id: 'a', type_id: 0 } })]),
      },
      { model: { ...pieces, max_input_chars_per_word: 256 } },
      { model: { ...pairs, end_of_word_suffix: '#'.repeat(256) } },
    ]) {
      assert.doesNotThrow(() => used(description));
    }
    assert.deepEqual(
      used({ pre_tokenizer: { type: 'FixedLength', length: 1 } }, 'aa').tokens,
      tokens,
    );
  });

  it('may expand one character to eighteen', () => {
    const all = [{ type: 'NFKC' }, ...times(30, { type: 'NFC' })];
    const { tokens } = used({ ...steps.normalizer(all), model: pairs }, '\ufdfa'.repeat(10_000));
    assert.equal(tokens.length, 150_000); // and three spaces for each character
  });

  it('may have a template that names no types', () => {
    const single = [{ Sequence: { id: 'A' } }, { SpecialToken: { id: 'a', type_id: 1 } }];
    const made = new TextTokens({ model: words, post_processor: template(single) }, {});
    assert.deepEqual(made.encode('a').typeIds, [0, 1]);
  });

  it('replace with literal text, without patterns such as $1', () => {
    const model = { ...words, vocab: { ...vocab, '$&': 2 } };
    const normalizer = replace({ String: 'a' }, '$&');
    assert.deepEqual(used({ normalizer, model }, 'a').tokens, ['$&']);
    const decoder = replace({ Regex: 'a+' }, '$&');
    assert.equal(used({ decoder }, 'a').text, '$&');
  });

  it('decode any number of byte tokens that are no characters', () => {
    const model = { ...words, vocab: { '?': 0, '<0x80>': 1 } };
    const made = new TextTokens({ model, decoder: { type: 'ByteFallback' } }, {});
    assert.equal(made.decode(Array(200_000).fill(1)), '\ufffd'.repeat(200_000));
  });
});

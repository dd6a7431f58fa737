// Writes tokenizers.json: each component of tokenizer.json with each value of each field, and what the Rust library gives
// for texts of many scripts: ids, types, spans (see rust_encoding.js), and decoded texts.
//   node tests/vectors/tokenizers.js
import { writeFileSync } from 'node:fs';
import { characterMapBytes } from '../support/js/character_map_bytes.js';
import { RustAnswers } from '../support/js/rust_answers.js';

const texts = [
  ...[
    '',
    'Café é Ñandú',
    'e\u0301E\u0301 a\u0308',
    'Я ёж, ΛΟΓΟΣ',
    '中文。日本ガ ｶﾞ',
    '각 한글',
    'بالـ ١٢',
    'नमस्ते ३',
  ],
  ...[
    '👩🏽‍🚀 🇫🇷x😀',
    'a1²½Ⅷ 42',
    "it's n't-a_b!?",
    'a\r\nb\u0085c\ufeffd\u200b e\u00a0',
    '\ud83da\udc00 \ufffd',
    '  a  b ',
    'ﬁ ß İ Ω ab',
  ],
];
const pairs = [
  ['a b', 'c'],
  ['a', ''],
  ['', 'b c'],
  ['é', '中 a'],
];

const raw = String.raw;
const bytes = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
);
const vocabulary = (tokens) => Object.fromEntries(tokens.map((token, id) => [token, id]));
const special = ['<unk>', '<s>', '</s>', '<pad>'];
const words = [
  ...special,
  'a',
  'b',
  'c',
  'ab',
  'é',
  'Я',
  '中',
  '文',
  'it',
  "'",
  's',
  '😀',
  '42',
  '한글',
  '▁a',
  '▁',
  '.',
];

/** Models by name. bytes: a token for each byte of a word; words: one for each word. */
const models = {
  bytes: {
    ...{
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
    },
    ...{
      fuse_unk: false,
      byte_fallback: true,
      ignore_merges: false,
      vocab: vocabulary([...bytes, ...special]),
      merges: [],
    },
  },
  words: { type: 'WordLevel', vocab: vocabulary(words), unk_token: '<unk>' },
};

const flags = (...names) =>
  names.flatMap((name) => [true, false].map((value) => ({ [name]: value })));
const typed = (type, ...fields) =>
  (fields.length > 0 ? fields : [{}]).map((one) => ({ type, ...one }));
const map = characterMapBytes([
  ['ﬁ', 'fi'],
  ['ｶﾞ', 'ガ'],
  ['ｶ', 'カ'],
  ['½', '1/2'],
  ['\u00a0', ' '],
  ['é', 'e'],
  ['E\u0301', 'É'],
  ['ab', 'x'],
  ['中', '国中'],
  ['😀', ':)'],
  ['ß', 'ss'],
]);
const patterns = [
  ...[
    { String: ' ' },
    { String: 'a' },
    { String: '' },
    { String: '中' },
    { Regex: raw`\s+` },
    { Regex: raw`\p{L}` },
  ],
  ...[{ Regex: raw`\b` }, { Regex: 'a*' }, { Regex: raw`(?i:É)|^.` }, { Regex: raw`\w+(?=\s)` }],
];
const behaviors = ['Removed', 'Isolated', 'MergedWithPrevious', 'MergedWithNext', 'Contiguous'];
const bert = {
  clean_text: false,
  handle_chinese_chars: false,
  strip_accents: false,
  lowercase: false,
};

const normalizers = [
  ...typed(
    'BertNormalizer',
    bert,
    ...Object.keys(bert).map((name) => ({ ...bert, [name]: true })),
    { ...bert, strip_accents: null, lowercase: true },
  ),
  ...['NFC', 'NFD', 'NFKC', 'NFKD', 'Nmt', 'Lowercase', 'StripAccents', 'ByteLevel'].flatMap(
    (type) => typed(type),
  ),
  ...typed(
    'Strip',
    ...flags('strip_left').flatMap((left) =>
      flags('strip_right').map((right) => ({ ...left, ...right })),
    ),
  ),
  ...['▁', ' ', '😀'].map((prepend) => ({ type: 'Prepend', prepend })),
  ...patterns.flatMap((pattern) =>
    ['', 'xy', 'é'].map((content) => ({ type: 'Replace', pattern, content })),
  ),
  { type: 'Precompiled', precompiled_charsmap: map },
  {
    type: 'Sequence',
    normalizers: [
      { type: 'NFD' },
      { type: 'StripAccents' },
      { type: 'Lowercase' },
      { type: 'Prepend', prepend: '▁' },
    ],
  },
];

const schemes = ['always', 'first', 'never'];
const preTokenizers = [
  ...['BertPreTokenizer', 'UnicodeScripts', 'Whitespace', 'WhitespaceSplit'].flatMap((type) =>
    typed(type),
  ),
  ...flags('add_prefix_space').flatMap((one) =>
    flags('use_regex').map((two) => ({ type: 'ByteLevel', trim_offsets: false, ...one, ...two })),
  ),
  ...[' ', 'a', '中', '😀'].map((delimiter) => ({ type: 'CharDelimiterSplit', delimiter })),
  ...typed('Digits', ...flags('individual_digits')),
  ...typed('FixedLength', {}, { length: 1 }, { length: 2 }, { length: 3 }),
  ...schemes.flatMap((prepend_scheme) =>
    flags('split').map((one) => ({ type: 'Metaspace', replacement: '▁', prepend_scheme, ...one })),
  ),
  ...typed(
    'Metaspace',
    { replacement: '_', add_prefix_space: true },
    { replacement: '▁', str_rep: '▁' },
  ),
  ...behaviors.map((behavior) => ({ type: 'Punctuation', behavior })),
  ...typed('Punctuation'),
  ...patterns.flatMap((pattern) =>
    behaviors.flatMap((behavior) =>
      flags('invert').map((one) => ({ type: 'Split', pattern, behavior, ...one })),
    ),
  ),
  {
    type: 'Sequence',
    pretokenizers: [
      { type: 'WhitespaceSplit' },
      { type: 'Punctuation' },
      { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first' },
    ],
  },
];

const template = (single, pair, special_tokens) => ({
  type: 'TemplateProcessing',
  single,
  pair,
  special_tokens,
});
const text = (id, type_id = 0) => ({ Sequence: { id, type_id } });
const token = (id, type_id = 0) => ({ SpecialToken: { id, type_id } });
const names = Object.fromEntries(special.map((id, n) => [id, { id, ids: [n], tokens: [id] }]));
const two = { x: { id: 'x', ids: [1, 2], tokens: ['<s>', '</s>'] } };
const cls = ['<s>', 1];
const sep = ['</s>', 2];
const trims = flags('trim_offsets').flatMap((one) =>
  flags('add_prefix_space').map((other) => ({ ...one, ...other })),
);
const processors = [
  null,
  { type: 'BertProcessing', cls, sep },
  ...trims.flatMap((one) => [
    { type: 'RobertaProcessing', cls, sep, ...one },
    { type: 'ByteLevel', ...one },
  ]),
  template(
    [token('<s>'), text('A'), token('</s>')],
    [token('<s>'), text('A'), token('</s>'), text('B', 1), token('</s>', 1)],
    names,
  ),
  template([text('A', 2), token('x', 1)], [text('B', 1), token('x', 2), text('A')], two),
  template([text('A')], [text('A'), text('B', 1)], {}),
  {
    type: 'Sequence',
    processors: [
      { type: 'ByteLevel', add_prefix_space: true, trim_offsets: false },
      template([token('<s>'), text('A')], [token('<s>'), text('A'), text('B', 1)], names),
    ],
  },
];

const added = (content, fields) => ({
  ...{
    id: words.includes(content) ? words.indexOf(content) : words.length,
    content,
    single_word: false,
  },
  ...{ lstrip: false, rstrip: false, normalized: false, special: false, ...fields },
});
const tokenFlags = [
  {},
  { single_word: true },
  { lstrip: true },
  { rstrip: true },
  { normalized: true },
  { special: true },
];

const affixed = (prefix, suffix) => [
  ...special,
  ...['a', 'b', 'c', 'é', '中', ' '].flatMap((one) => [
    one,
    prefix + one,
    one + suffix,
    prefix + one + suffix,
  ]),
];
const pieces = (prefix, suffix) => {
  const merges = [
    ['a', `${prefix}b`],
    [`a`, `${prefix}b${suffix}`],
    ['b', `${prefix} `],
    [`${prefix}a`, `${prefix}b`],
  ];
  const merged = merges.map(([first, second]) => first + second.slice(prefix.length));
  return { merges, vocab: vocabulary([...new Set([...affixed(prefix, suffix), ...merged])]) };
};
const bpe = {
  type: 'BPE',
  dropout: null,
  unk_token: '<unk>',
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  fuse_unk: false,
  byte_fallback: false,
  ignore_merges: false,
};
const plain = pieces('', '');
const scores = [...words, 'a ', 'ba'].map((one, n) => [one, -1 - ((n * 37) % 23) / 7]);
const pieceWords = vocabulary([
  ...special,
  'a',
  'b',
  '##b',
  '##a',
  'ab',
  '中',
  '##文',
  'it',
  '##s',
]);
const modelCases = [
  { ...bpe, ...plain },
  { ...bpe, ...plain, unk_token: null },
  { ...bpe, ...plain, fuse_unk: true },
  { ...bpe, ...plain, ignore_merges: true },
  {
    ...bpe,
    vocab: vocabulary([...special, ...bytes, 'a', 'b', 'ab']),
    merges: [['a', 'b']],
    byte_fallback: true,
  },
  { ...bpe, ...pieces('##', ''), continuing_subword_prefix: '##' },
  { ...bpe, ...pieces('', '</w>'), end_of_word_suffix: '</w>' },
  {
    ...bpe,
    ...pieces('##', '</w>'),
    continuing_subword_prefix: '##',
    end_of_word_suffix: '</w>',
    fuse_unk: true,
  },
  { ...plain, merges: plain.merges.slice(0, 1).map((pair) => pair.join(' ')), unk_token: '<unk>' },
  { type: 'Unigram', unk_id: 0, vocab: scores, byte_fallback: false },
  {
    type: 'Unigram',
    unk_id: 0,
    vocab: [...scores, ...bytes.map((one) => [one, -9])],
    byte_fallback: true,
  },
  { unk_id: 0, vocab: scores },
  {
    type: 'WordPiece',
    unk_token: '<unk>',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 100,
    vocab: pieceWords,
  },
  {
    type: 'WordPiece',
    unk_token: '<unk>',
    continuing_subword_prefix: '',
    max_input_chars_per_word: 100,
    vocab: pieceWords,
  },
  {
    type: 'WordPiece',
    unk_token: '<unk>',
    continuing_subword_prefix: '##',
    max_input_chars_per_word: 2,
    vocab: pieceWords,
  },
  models.words,
];

const decoded = [
  ...special,
  'a',
  'b',
  '##b',
  'a</w>',
  '▁a',
  '▁',
  '<0xC3>',
  '<0xA9>',
  '<0xFF>',
  'Ġa',
  'Ã',
  '©',
  " n't",
  ' .',
  '|',
  '中',
  '😀',
  '\ufeff',
  ' do not',
  " 's",
  'aa',
];
const decoders = [
  null,
  ...['ByteFallback', 'Fuse'].flatMap((type) => typed(type)),
  { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true },
  ...['</w>', '', 'b'].map((suffix) => ({ type: 'BPEDecoder', suffix })),
  ...flags('cleanup').flatMap((one) => [
    { type: 'CTC', pad_token: '<pad>', word_delimiter_token: '|', ...one },
    { type: 'WordPiece', prefix: '##', ...one },
  ]),
  ...schemes.map((prepend_scheme) => ({ type: 'Metaspace', replacement: '▁', prepend_scheme })),
  ...patterns.map((pattern) => ({ type: 'Replace', pattern, content: 'é' })),
  ...[0, 1, 2].map((start) => ({ type: 'Strip', content: 'a', start, stop: 0 })),
  { type: 'Strip', content: 'a', start: 0, stop: 1 },
  {
    type: 'Sequence',
    decoders: [
      { type: 'ByteFallback' },
      { type: 'Fuse' },
      { type: 'Replace', pattern: { String: '▁' }, content: ' ' },
      { type: 'Strip', content: ' ', start: 1, stop: 0 },
    ],
  },
  // The first ▁ leaves an empty text, in which Rust finds the empty suffix once.
  {
    type: 'Sequence',
    decoders: [
      { type: 'Metaspace', replacement: '▁', prepend_scheme: 'first' },
      { type: 'BPEDecoder', suffix: '' },
    ],
  },
];
const lists = [
  [],
  [4, 5, 6],
  [7, 7, 4],
  [8, 9, 8],
  [10, 11, 12, 10, 4],
  [13, 14, 15, 12],
  [4, 16, 17, 18, 4],
  [19, 20, 21, 4],
  [1, 4, 2, 3, 3, 5],
  [4, 22, 23, 24, 24],
  [9, 9, 4, 9],
];

const single = texts.map((one) => [one]);
const cases = [
  ...normalizers.map((normalizer) => ({ model: 'bytes', normalizer, texts: single })),
  ...preTokenizers.map((pre_tokenizer) => ({ model: 'words', pre_tokenizer, texts: single })),
  ...preTokenizers
    .filter(({ type }) => ['ByteLevel', 'Metaspace'].includes(type))
    .map((pre_tokenizer) => ({ model: 'bytes', pre_tokenizer, texts: single })),
  ...processors.map((post_processor) => ({
    model: 'words',
    pre_tokenizer: { type: 'Whitespace' },
    post_processor,
    texts: [...single.slice(0, 9), ...pairs],
  })),
  ...['a', 'ab', 'É', ' '].flatMap((content) =>
    tokenFlags.map((fields) => ({
      model: 'words',
      normalizer: { type: 'Lowercase' },
      pre_tokenizer: { type: 'Whitespace' },
      added_tokens: [added(content, fields)],
      texts: single,
    })),
  ),
  // An accent before the first character is removed: the text does not begin at its start any more.
  ...schemes.map((prepend_scheme) => ({
    model: 'words',
    normalizer: { type: 'StripAccents' },
    pre_tokenizer: { type: 'Metaspace', replacement: '▁', prepend_scheme },
    texts: [['\u0301a'], ['\u0301'], ['a\u0301b'], ['\u0940a b'], [' a']],
  })),
  // The normalized text of an added token is that of a special token, which decoding leaves out.
  {
    model: { type: 'WordLevel', vocab: vocabulary(decoded), unk_token: '<unk>' },
    normalizer: { type: 'Lowercase' },
    added_tokens: [
      { ...added('a', { special: true }), id: decoded.indexOf('a') },
      { ...added('A', { normalized: true }), id: decoded.length },
    ],
    ids: [[5, 25], [25, 4, 5], [25]],
  },
  ...modelCases.map((model) => ({
    model,
    pre_tokenizer: {
      type: 'Split',
      pattern: { Regex: raw`\s` },
      behavior: 'MergedWithNext',
      invert: false,
    },
    texts: [...single, ['ab b abc'], ['中文 its ab']],
  })),
  ...decoders.map((decoder) => ({
    model: { type: 'WordLevel', vocab: vocabulary(decoded), unk_token: '<unk>' },
    decoder,
    ids: lists,
  })),
];

/** A description with all its fields. */
const describe = ({ texts: _, ids: __, model, ...parts }) => ({
  ...{
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: [],
    normalizer: null,
    pre_tokenizer: null,
  },
  ...{ post_processor: null, decoder: null, ...parts, model: models[model] ?? model },
});

const rust = new RustAnswers();
const written = [];
for (const one of cases) {
  const { texts: inputs = [], ids = [] } = one;
  const { refused, answers } = await rust.ask({ description: describe(one), texts: inputs, ids });
  if (refused !== undefined) throw new Error(`${JSON.stringify(one)}: ${refused}`);
  const expected = answers.map(({ value, error }) =>
    value === undefined || typeof value === 'string'
      ? (value ?? { error })
      : [
          value.ids,
          value.typeIds.some(Boolean) ? value.typeIds : 0,
          value.spans?.map((span) => span ?? 0) ?? null,
        ],
  );
  const { texts: ___, ids: ____, ...parts } = one;
  written.push({ ...parts, inputs: inputs.length > 0 ? inputs : ids, expected });
}
rust.close();

// Most cases have the same texts.
const common = { texts: single, ids: lists };
const lines = written.map((one) => {
  const name = Object.keys(common).find(
    (key) => JSON.stringify(common[key]) === JSON.stringify(one.inputs),
  );
  return JSON.stringify({ ...one, inputs: name ?? one.inputs });
});
writeFileSync(
  new URL('tokenizers.json', import.meta.url),
  `{"models":${JSON.stringify(models)},\n"texts":${JSON.stringify(single)},\n"ids":${JSON.stringify(lists)},\n"cases":[\n${lines.join(',\n')}\n]}\n`,
);
console.log(`${written.length} descriptions`);

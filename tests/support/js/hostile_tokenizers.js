// Tokenizers with each component alone, and texts that are expensive for one of them: what costs.test.js counts.
import { behaviors } from '../../../web/lib/models/tokenizer/text_matches.js';
import {
  bertTokenizer,
  esmTokenizer,
} from '../../../web/lib/models/tokenizer/vocabulary_files/bert_vocabulary.js';
import {
  bytePairForms,
  bytePairTokenizer,
} from '../../../web/lib/models/tokenizer/vocabulary_files/byte_pair_forms.js';
import { sentencePieceComponents } from '../../../web/lib/models/tokenizer/vocabulary_files/sentence_piece/convert.js';
import { characterMapBytes } from './character_map_bytes.js';

const raw = String.raw;
const repeated = (text) => (n) => text.repeat(Math.ceil(n / text.length));
const halves = (first, second) => (n) => repeated(first)(n / 2) + repeated(second)(n / 2);
const word = Array.from({ length: 256 }, (_, n) => 'ab'[((n * n) % 7) & 1]).join('');

/** Texts of about n units. */
export const texts = {
  'one letter': repeated('a'),
  'one letter, another at the end': (n) => `${'a'.repeat(n)}b`,
  'two marks in turn, in the wrong order': (n) => `a${repeated('\u0301\u0327')(n)}`,
  'one mark': (n) => `a${repeated('\u0301')(n)}`,
  'marks of a compatibility form': (n) => `a${repeated('\u0301\uff9e')(n)}`,
  spaces: repeated(' '),
  'letters and spaces in turn': repeated('a '),
  'spaces, then letters': halves(' ', 'a'),
  'spaces, then unknown characters': halves(' ', 'é'),
  'words of 256 characters': repeated(`${word} `),
  'unknown characters': repeated('中'),
  'unknown characters of two units': repeated('𝔘a'),
  flags: repeated('🇫🇷'),
  'people joined': repeated('👩\u200d'),
  'parts of syllables': repeated('\u1112\u1161\u11ab'),
  'signs and digits': repeated('1.,(2'),
  'line ends': repeated(' \n'),
  'long forms': repeated('\ufdfaİΣ'),
  'marks of spaces': repeated('\u2581'),
};

const bytes = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
);
const known = [
  '<unk>',
  'a',
  'b',
  'aa',
  '##a',
  ' ',
  '\u2581',
  'ab',
  'a</w>',
  '\u0120',
  "'",
  '\u00e2',
];
const vocabulary = [...known, ...bytes];
const vocab = Object.fromEntries(vocabulary.map((token, id) => [token, id]));
const words = { type: 'WordLevel', vocab, unk_token: '<unk>' };
/** Its longest token, which no text has. */
const long = `${'a'.repeat(4095)}b`;
const special = { id: 'a', ids: [1], tokens: ['a'] };
const patterns = [
  ...[{ String: 'a' }, { String: '' }, { String: ' ' }],
  ...[{ Regex: raw`\s+` }, { Regex: 'a*' }, { Regex: raw`\p{L}+| ?[^\s\p{L}]+|\s+` }],
];
const fields = (name, ...values) => values.map((value) => ({ [name]: value }));
const replacements = [
  ...patterns.map((pattern) => ({ pattern, content: 'ab' })),
  ...fields('content', 'b', '').map((one) => ({ pattern: patterns[0], ...one })),
];
const flags = (...names) =>
  names.reduce(
    (all, name) => all.flatMap((one) => [true, false].map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
const map = characterMapBytes([
  ['a', 'aa'],
  ['é', ' '],
  ['中', ''],
  ['👩', 'b'],
]);
const plain = [{}];

/** The fields of each component, by kind and type: the types are those of the code. */
export const components = {
  normalizer: {
    BertNormalizer: plain,
    ByteLevel: plain,
    Lowercase: plain,
    NFC: plain,
    NFD: plain,
    NFKC: plain,
    NFKD: plain,
    Nmt: plain,
    Precompiled: fields('precompiled_charsmap', map),
    Prepend: fields('prepend', 'ab'),
    Replace: replacements,
    Sequence: fields('normalizers', [
      { type: 'NFD' },
      { type: 'StripAccents' },
      { type: 'ByteLevel' },
    ]),
    Strip: plain,
    StripAccents: plain,
  },
  pre_tokenizer: {
    BertPreTokenizer: plain,
    ByteLevel: flags('add_prefix_space', 'use_regex'),
    CharDelimiterSplit: fields('delimiter', ' ', 'a'),
    Digits: flags('individual_digits'),
    FixedLength: fields('length', 1, 5),
    Metaspace: flags('split').map((one) => ({ replacement: '\u2581', ...one })),
    Punctuation: fields('behavior', ...Object.keys(behaviors)),
    Sequence: fields('pretokenizers', [
      { type: 'Whitespace' },
      { type: 'Digits' },
      { type: 'ByteLevel' },
    ]),
    Split: [
      ...patterns.map((pattern) => ({ pattern, behavior: 'Isolated' })),
      ...Object.keys(behaviors).map((behavior) => ({
        pattern: patterns[0],
        behavior,
        invert: true,
      })),
    ],
    UnicodeScripts: plain,
    Whitespace: plain,
    WhitespaceSplit: plain,
  },
  post_processor: {
    BertProcessing: [{ cls: ['a', 1], sep: ['b', 2] }],
    ByteLevel: plain,
    RobertaProcessing: [{ cls: ['a', 1], sep: ['b', 2] }],
    Sequence: fields('processors', [{ type: 'BertProcessing', cls: ['a', 1], sep: ['b', 2] }]),
    TemplateProcessing: [
      {
        single: [
          { SpecialToken: { id: 'a' } },
          { Sequence: { id: 'A' } },
          { Sequence: { id: 'A' } },
        ],
        ...{ pair: [], special_tokens: { a: special } },
      },
    ],
  },
  decoder: {
    BPEDecoder: plain,
    ByteFallback: plain,
    ByteLevel: plain,
    CTC: fields('pad_token', '<pad>', 'a'),
    Fuse: plain,
    Metaspace: fields('replacement', '\u2581'),
    Replace: replacements,
    Sequence: fields('decoders', [
      { type: 'ByteFallback' },
      { type: 'Fuse' },
      { type: 'Replace', pattern: { String: 'a' }, content: 'bb' },
    ]),
    Strip: [
      { content: ' ', start: 1, stop: 1 },
      { content: 'a', start: 1000, stop: 1000 },
    ],
    WordPiece: plain,
  },
  model: {
    BPE: [
      {
        vocab,
        merges: [
          ['a', 'a'],
          ['a', 'b'],
        ],
      },
      {
        vocab,
        merges: [
          ['a', 'a'],
          ['a', 'b'],
        ],
        unk_token: '<unk>',
        fuse_unk: true,
        ignore_merges: true,
      },
      { vocab, merges: [['a', 'a']], byte_fallback: true, end_of_word_suffix: '</w>' },
      { vocab, merges: [['a', '##a']], unk_token: '<unk>', continuing_subword_prefix: '##' },
    ],
    Unigram: [
      { vocab: [...vocabulary, long].map((text) => [text, -1]), unk_id: 0, byte_fallback: true },
      {
        vocab: ['<unk>', ...Array.from({ length: 64 }, (_, n) => 'a'.repeat(n + 1))].map((text) => [
          text,
          -1,
        ]),
        unk_id: 0,
      },
    ],
    WordLevel: [{ vocab, unk_token: '<unk>' }],
    WordPiece: [{ vocab, unk_token: '<unk>', max_input_chars_per_word: 256 }],
  },
};

const pieces = [
  { text: '<unk>', score: 0, type: 2 },
  ...[...known.slice(1), ...Array.from({ length: 40 }, (_, n) => 'a'.repeat(n + 3))].map(
    (text, n) => ({ text, score: -n, type: 1 }),
  ),
  { text: long, score: 0, type: 4 },
  { text: 'bb', score: -1, type: 5 },
  ...bytes.map((text) => ({ text, score: 0, type: 6 })),
];

/** Tokenizers of SentencePiece models by kind. */
export const pieceTokenizers = (kinds) =>
  kinds.flatMap((kind) =>
    flags('removesSpaces').map((options) => ({
      name: `SentencePiece ${kind} ${JSON.stringify(options)}`,
      components: sentencePieceComponents,
      description: {
        normalizer: {
          type: 'SentencePiece',
          options: {
            ...options,
            isSuffix: !options.removesSpaces,
            addsPrefix: true,
            escapesSpaces: true,
            map: Buffer.from(map, 'base64'),
          },
          symbols: [long],
        },
        model: { type: 'SentencePiece', kind, pieces, hasBytes: true },
      },
    })),
  );

const tokens = ['a', ' ', 'aa', long];

/** Added tokens with each combination of flags. */
const addedTokens = flags('single_word', 'lstrip', 'rstrip', 'normalized').map((one) => ({
  name: `added tokens ${JSON.stringify(one)}`,
  description: {
    model: words,
    added_tokens: tokens.map((content, n) => ({ id: vocab[content] ?? 1000 + n, content, ...one })),
  },
}));

const merges = '#version: 0.2\na a\na b';
const none = { config: {}, map: {}, added: {} };
const roles = [
  '<|endoftext|>',
  '<s>',
  '</s>',
  '<unk>',
  '<pad>',
  '<mask>',
  '[CLS]',
  '[SEP]',
  '[UNK]',
  '[PAD]',
  '[MASK]',
];
const withRoles = Object.fromEntries([...vocabulary, ...roles].map((token, id) => [token, id]));

/** Tokenizers made of vocab.txt, and of vocab.json and merges.txt. */
const files = () => [
  {
    name: 'vocab.txt of ESM',
    description: esmTokenizer(Object.keys(withRoles).join('\n'), none),
  },
  { name: 'vocab.txt', description: bertTokenizer(Object.keys(withRoles).join('\n'), none) },
  ...[...new Set(Object.values(bytePairForms))].map((form, n) => ({
    name: `vocab.json, form ${n + 1}`,
    description: bytePairTokenizer(form, withRoles, merges, none),
  })),
];

/** { name, description, components? } of each tokenizer whose encoding is counted. kinds: of SentencePiece models. */
export const encoders = (kinds) => [
  ...['normalizer', 'pre_tokenizer', 'post_processor'].flatMap((kind) =>
    Object.entries(components[kind]).flatMap(([type, all]) =>
      all.map((one) => ({
        name: `${kind} ${type} ${JSON.stringify(one).slice(0, 80)}`,
        description: { model: words, [kind]: { type, ...one } },
      })),
    ),
  ),
  ...Object.entries(components.model).flatMap(([type, all]) =>
    all.map((one, n) => ({
      name: `model ${type} ${n + 1}`,
      description: { model: { type, ...one } },
    })),
  ),
  ...pieceTokenizers(kinds),
  ...addedTokens,
  ...files(),
];

/** The same of each whose decoding is counted. */
export const decoders = Object.entries(components.decoder).flatMap(([type, all]) =>
  all.map((one) => ({
    name: `decoder ${type} ${JSON.stringify(one).slice(0, 80)}`,
    description: { model: words, decoder: { type, ...one } },
  })),
);

const idsOf =
  (...some) =>
  (n) =>
    Array.from({ length: n }, (_, at) => vocab[some[at % some.length]]);

/** Lists of n ids. */
export const ids = {
  ...Object.fromEntries(known.slice(1).map((token) => [`'${token}'`, idsOf(token)])),
  'a byte that begins no character': idsOf('<0x80>'),
  'the beginning of a character': idsOf('<0xF0>'),
  'a character in bytes': idsOf('<0xF0>', '<0x9F>', '<0x98>', '<0x80>'),
  'letters and spaces in turn': idsOf('a', ' '),
  'an apostrophe between spaces': idsOf(' ', "'", ' '),
};

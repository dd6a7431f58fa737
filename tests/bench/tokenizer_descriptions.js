// Descriptions of tokenizers with vocabularies as large as those of published models, and texts of their words; all made
// from a seed.
import { seeded } from '../support/js/random_tensors.js';

const random = seeded('tokenizers of published sizes');

const alphabets = {
  English: [...'abcdefghijklmnopqrstuvwxyz'],
  Russian: [...'абвгдежзийклмнопрстуфхцчшщъыьэюя'],
  Chinese: Array.from({ length: 3000 }, (_, at) => String.fromCodePoint(0x4e00 + at)),
};

/** Words whose first letters of the alphabet are the most frequent. */
const wordsOf = (alphabet, count, shortest, longest) =>
  Array.from({ length: count }, () =>
    Array.from(
      { length: random.integer(shortest, longest) },
      () => alphabet[Math.floor(random.uniform() ** 2 * alphabet.length)],
    ).join(''),
  );

const lexicon = {
  English: wordsOf(alphabets.English, 12_000, 2, 9),
  Russian: wordsOf(alphabets.Russian, 12_000, 2, 10),
  Chinese: wordsOf(alphabets.Chinese, 12_000, 1, 3),
};

function textOf(language) {
  const between = language === 'Chinese' ? ['', '，'] : [' ', ', '];
  let text = '';
  while (text.length < 100_000) {
    const word = lexicon[language][Math.floor(random.uniform() ** 3 * 12_000)];
    text += word + between[random.chance(0.1) ? 1 : 0];
  }
  return text.slice(0, 100_000);
}

/** Name → text; a thousand words in any order of three languages, and letters without a space. */
export const texts = {
  ...Object.fromEntries(Object.keys(lexicon).map((language) => [language, textOf(language)])),
  'no space': 'abcdefgh'.repeat(2500),
};

/** GPT-2's characters for bytes. */
const byteCharacters = (() => {
  const isPrintable = (byte) => (byte > 32 && byte < 127) || (byte > 160 && byte !== 173);
  let others = 0;
  return Array.from({ length: 256 }, (_, byte) =>
    String.fromCodePoint(isPrintable(byte) ? byte : 256 + others++),
  );
})();
const inBytes = (text) => [...Buffer.from(text)].map((byte) => byteCharacters[byte]).join('');

/** BPE whose merges make words from left to right, until the vocabulary has a size. */
function mergesOf(units, size, words) {
  const vocab = new Map(units.map((unit, id) => [unit, id]));
  const merges = new Map();
  for (const word of words) {
    const [first, ...rest] = word;
    let piece = first;
    for (const unit of rest) {
      if (vocab.size >= size || !vocab.has(piece) || !vocab.has(unit)) break;
      merges.set(`${piece} ${unit}`, [piece, unit]);
      piece += unit;
      if (!vocab.has(piece)) vocab.set(piece, vocab.size);
    }
  }
  return { vocab: Object.fromEntries(vocab), merges: [...merges.values()] };
}

const bpe = (fields) => ({
  type: 'BPE',
  dropout: null,
  unk_token: null,
  continuing_subword_prefix: null,
  end_of_word_suffix: null,
  fuse_unk: false,
  byte_fallback: false,
  ignore_merges: false,
  ...fields,
});

const described = (fields) => ({
  version: '1.0',
  truncation: null,
  padding: null,
  added_tokens: [
    {
      id: 0,
      content: '<unk>',
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    },
  ],
  normalizer: null,
  pre_tokenizer: null,
  post_processor: null,
  decoder: null,
  ...fields,
});

const words = Object.values(lexicon).flat();
const more = [
  ...wordsOf(alphabets.English, 60_000, 3, 9),
  ...wordsOf(alphabets.Russian, 40_000, 3, 9),
];
const characters = [...new Set([...Object.values(alphabets).flat(), '▁', ',', '，'])];
const byteTokens = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
);
const marked = (all) => all.map((word) => `▁${word}`);

/** The pattern of Llama 3's tokenizer.json. */
const llama3 =
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|\\s+(?!\\S)|\\s+";
const spaces = { type: 'Replace', pattern: { String: ' ' }, content: '▁' };

/** Name → a function that makes the description. */
export const descriptions = {
  'like Llama 3': () =>
    described({
      pre_tokenizer: {
        type: 'Sequence',
        pretokenizers: [
          { type: 'Split', pattern: { Regex: llama3 }, behavior: 'Isolated', invert: false },
          { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
        ],
      },
      decoder: { type: 'ByteLevel', add_prefix_space: true, trim_offsets: true, use_regex: true },
      model: bpe({
        ignore_merges: true,
        ...mergesOf(
          ['<unk>', ...byteCharacters],
          128_256,
          [...words.flatMap((word) => [word, ` ${word}`]), ...more.map((word) => ` ${word}`)].map(
            inBytes,
          ),
        ),
      }),
    }),
  'like Gemma 3': () =>
    described({
      normalizer: spaces,
      model: bpe({
        unk_token: '<unk>',
        fuse_unk: true,
        byte_fallback: true,
        ...mergesOf(['<unk>', ...byteTokens, ...characters], 262_145, [
          ...words.flatMap((word) => [word, `▁${word}`]),
          ...marked([...more, ...wordsOf(alphabets.English, 60_000, 3, 12)]),
        ]),
      }),
    }),
  'like Llama 2': () =>
    described({
      normalizer: { type: 'Sequence', normalizers: [{ type: 'Prepend', prepend: '▁' }, spaces] },
      model: bpe({
        unk_token: '<unk>',
        fuse_unk: true,
        byte_fallback: true,
        ...mergesOf(['<unk>', ...byteTokens, ...characters], 32_000, marked(words)),
      }),
    }),
  Unigram: () => {
    const pieces = new Set([...marked(words), ...more.map((word) => word.slice(0, 5))]);
    const scored = [...pieces].map((piece, at) => [piece, -8 - Math.log(at + 1)]);
    return described({
      pre_tokenizer: {
        type: 'Metaspace',
        replacement: '▁',
        prepend_scheme: 'always',
        split: true,
      },
      model: {
        type: 'Unigram',
        unk_id: 0,
        byte_fallback: false,
        vocab: [['<unk>', 0], ...characters.map((one) => [one, -12]), ...scored],
      },
    });
  },
};

// Byte-pair encoding learnt from counted words, written as a tokenizer.json, the format of the Hugging
// Face tokenizers. Source: Sennrich, Haddow & Birch, "Neural Machine Translation of Rare Words with
// Subword Units" (2016). A character that the corpus hardly has is spelt by its UTF-8 bytes.
import { Tokenizer } from '@huggingface/tokenizers';

export const specialTokens = ['<pad>', '<s>', '</s>'];

const space = '\u2581';
const replace = (pattern, content) => ({ type: 'Replace', pattern, content });

const normalizer = {
  type: 'Sequence',
  normalizers: [
    { type: 'NFC' },
    replace({ Regex: '[\\u200B\\u00AD\\uFEFF]' }, ''),
    replace({ Regex: '[’‘ʼ´`]' }, "'"),
    replace({ Regex: '[“”„]' }, '"'),
    replace({ Regex: '\\s+' }, ' '),
    { type: 'Strip', strip_left: true, strip_right: true },
    { type: 'Prepend', prepend: space },
    replace({ String: ' ' }, space),
  ],
};

// A word with its space and apostrophe, a digit, or one mark.
const preTokenizer = {
  type: 'Split',
  pattern: {
    Regex: `${space}?[\\p{L}\\p{M}]+'?|${space}?\\p{N}|${space}?[^\\p{L}\\p{M}\\p{N}${space}]|${space}`,
  },
  behavior: 'Isolated',
  invert: false,
};

const decoder = {
  type: 'Sequence',
  decoders: [
    replace({ String: space }, ' '),
    { type: 'ByteFallback' },
    { type: 'Fuse' },
    { type: 'Strip', content: ' ', start: 1, stop: 0 },
  ],
};

function describe(vocabulary, merges) {
  return {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: specialTokens.map((content, id) => ({
      id,
      content,
      single_word: false,
      lstrip: false,
      rstrip: false,
      normalized: false,
      special: true,
    })),
    normalizer,
    pre_tokenizer: preTokenizer,
    post_processor: null,
    decoder,
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: true,
      vocab: Object.fromEntries(vocabulary.map((token, id) => [token, id])),
      merges,
    },
  };
}

export const createTokenizer = (description) => new Tokenizer(description, {});

const byteTokens = Array.from(
  { length: 256 },
  (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`,
);

function countPieces(texts) {
  const { normalizer, pre_tokenizer: split } = createTokenizer(
    describe([...specialTokens, ...byteTokens], []),
  );
  const counts = new Map();
  for (const text of texts)
    for (const piece of split(normalizer(text))) counts.set(piece, (counts.get(piece) ?? 0) + 1);
  return counts;
}

/** Learns a vocabulary of `size` tokens; characters seen less than `rare` times are left to bytes. */
export function learnBytePairs(texts, { size, rare = 20 }) {
  const pieces = countPieces(texts);
  const characters = new Map();
  for (const [piece, count] of pieces)
    for (const character of piece)
      characters.set(character, (characters.get(character) ?? 0) + count);
  const alphabet = [...characters]
    .filter(([, count]) => count >= rare)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const known = new Set(alphabet.map(([character]) => character));
  const vocabulary = [...specialTokens, ...byteTokens, ...known];

  const words = [...pieces]
    .filter(([piece]) => [...piece].every((character) => known.has(character)))
    .map(([piece, count]) => ({ symbols: [...piece], count }));
  const pairCounts = new Map();
  const wordsWith = new Map();
  const separator = '\n'; // never inside a piece
  const countPairs = (word, sign) => {
    for (let n = 1; n < word.symbols.length; n++) {
      const pair = word.symbols[n - 1] + separator + word.symbols[n];
      pairCounts.set(pair, (pairCounts.get(pair) ?? 0) + sign * word.count);
      if (!wordsWith.has(pair)) wordsWith.set(pair, new Set());
      wordsWith.get(pair).add(word);
    }
  };
  for (const word of words) countPairs(word, 1);

  const merges = [];
  while (vocabulary.length < size) {
    let best;
    let most = 0;
    for (const [pair, count] of pairCounts)
      if (count > most || (count === most && pair < best)) [best, most] = [pair, count];
    const [left, right] = best.split(separator);
    merges.push([left, right]);
    if (!known.has(left + right)) vocabulary.push(left + right);
    known.add(left + right);
    for (const word of [...wordsWith.get(best)]) {
      countPairs(word, -1);
      word.symbols = merged(word.symbols, left, right);
      countPairs(word, 1);
    }
    pairCounts.delete(best);
  }
  return describe(vocabulary, merges);
}

function merged(symbols, left, right) {
  const result = [];
  for (let n = 0; n < symbols.length; n++) {
    const found = symbols[n] === left && symbols[n + 1] === right;
    result.push(found ? left + right : symbols[n]);
    if (found) n++;
  }
  return result;
}

// Models of SentencePiece, trained by its own program on texts of this tree, and the ids that its own program gives
// (spm_train and spm_encode, Debian's package sentencepiece).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TextTokens } from '../../../web/lib/models/tokenizer/text_tokens.js';
import {
  sentencePieceComponents as components,
  sentencePieceTokenizer,
} from '../../../web/lib/models/tokenizer/vocabulary_files/sentence_piece/convert.js';
import { sentencePieceForms } from '../../../web/lib/models/tokenizer/vocabulary_files/sentence_piece/forms.js';
import { root } from './package.js';
import { seeded } from './random_tensors.js';
import { RandomTexts } from './random_texts.js';

const others = [
  ...['Привет, мир!', '你好，世界。', 'カタカナ ガ ｶﾞ', '한국어 문장', '२३४ हिन्दी', '١٢٣ مرحبا'],
  ...['1234567 and 3.14', '😀 👩🏽‍🚀 🇫🇷', 'ﬁ ½ Ⅷ ℃', 'a\tb  c   d', 'foo <sep>bar', 'e\u0301 E\u0301'],
];
const symbols = ['<sep>', 'the ', 'ab', 'bcd', ' x', 'é'];

/** Texts to train on: the sentences of a vector file, English and French, and some of other scripts. */
export function trainingTexts() {
  const file = join(root, 'tests/vectors/own_sentences.json');
  const { sentences } = JSON.parse(readFileSync(file, 'utf8'));
  const own = sentences.flatMap(({ english, french }) => [english, ...french]);
  return [...own, ...Array(8).fill(others).flat()];
}

const spaces = { remove_extra_whitespaces: false, allow_whitespace_only_pieces: true };
const oneWord = {
  split_by_whitespace: false,
  split_by_number: false,
  split_by_unicode_script: false,
};
const identity = { normalization_rule_name: 'identity' };
const bytes = { byte_fallback: true, vocab_size: 600, character_coverage: 0.98 };

/** Options of spm_train: each that changes ids, for both kinds of models. */
export const trainingOptions = {
  'as by default': {},
  'byte fallback': bytes,
  'identity, spaces stay': { ...identity, ...spaces },
  'identity, byte fallback, digits split': { ...identity, ...spaces, ...bytes, split_digits: true },
  'user-defined symbols': {
    user_defined_symbols: symbols.join(),
    control_symbols: 'CTRL',
    pad_id: 3,
  },
  'nfkc in lower case, no prefix': { normalization_rule_name: 'nfkc_cf', add_dummy_prefix: false },
  'spaces as suffix': { treat_whitespace_as_suffix: true },
  'pieces beyond words': { ...oneWord, ...spaces, max_sentencepiece_length: 30 },
};

/** use(folder) of a new folder that is removed afterwards. */
export function inNewFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'attention-wasm-pieces-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The path of a model trained in a folder. texts: what to train on; options: of spm_train. */
export function trainedModel(folder, texts, options) {
  writeFileSync(join(folder, 'input.txt'), texts.join('\n'));
  const all = {
    ...{ input: 'input.txt', model_prefix: 'pieces', vocab_size: 350, num_threads: 1 },
    ...{ minloglevel: 2, ...options },
  };
  const list = Object.entries(all).map(([name, value]) => `--${name}=${value}`);
  // In the folder: paths are written to the model.
  execFileSync('spm_train', list, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] });
  return join(folder, 'pieces.model');
}

/** The ids of each text, by spm_encode. */
export function encodedBySpm(path, texts) {
  const output = execFileSync('spm_encode', [`--model=${path}`, '--output_format=id'], {
    input: `${texts.join('\n')}\n`,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const idsIn = (line) => (line === '' ? [] : line.split(' ').map(Number));
  return output.split('\n').slice(0, texts.length).map(idsIn);
}

/** Texts without line ends, of training texts and of characters that are treated in special ways. */
export function textsToEncode(count, seed) {
  const random = seeded(seed);
  const more = [...symbols, 'CTRL', '123', '4,5', '▁', 'aaaa', '   '];
  const texts = new RandomTexts(random, more);
  const known = trainingTexts();
  return Array.from({ length: count }, (_, n) => {
    const one = known[random.integer(0, known.length - 1)];
    const text = [texts.text(20), one, texts.text(5) + one + texts.text(5)][n % 3];
    return text.replace(/[\n\r\0]/g, ' ').replace(/\p{Surrogate}/gu, '\ufffd');
  });
}

/** A tokenizer of a file with the pieces alone: no added tokens, which spm_encode does not find either. */
export function pieceTokenizer(file) {
  const files = { config: {}, map: {}, added: {} };
  const description = sentencePieceTokenizer(file, sentencePieceForms.LlamaTokenizer, files);
  return new TextTokens({ ...description, added_tokens: [] }, {}, { components });
}

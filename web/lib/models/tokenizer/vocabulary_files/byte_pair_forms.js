// Converts vocab.json and merges.txt to a tokenizer.json. They say nothing of words and special tokens, which the class of
// the tokenizer decides. Source of the forms: transformers, convert_slow_tokenizer.py.
import { isObject } from '../fields.js';
import { SpecialTokens } from './special_tokens.js';

const endOfText = '<|endoftext|>';
const gpt2Tokens = { unk_token: endOfText, bos_token: endOfText, eos_token: endOfText };
const robertaTokens = {
  ...{ bos_token: '<s>', eos_token: '</s>', sep_token: '</s>', cls_token: '<s>' },
  ...{ unk_token: '<unk>', pad_token: '<pad>', mask_token: { content: '<mask>', lstrip: true } },
};
const debertaTokens = {
  ...{ bos_token: '[CLS]', eos_token: '[SEP]', sep_token: '[SEP]', cls_token: '[CLS]' },
  ...{ unk_token: '[UNK]', pad_token: '[PAD]', mask_token: { content: '[MASK]', lstrip: true } },
};
const qwenTokens = { unk_token: endOfText, eos_token: endOfText, pad_token: endOfText };

const byteLevel = (config) => ({
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: config.add_prefix_space ?? false },
});

/** Words of Qwen2: contractions, letters after at most one other character, single digits, others, and line ends. */
const qwenWords = [
  "(?i:'s|'t|'re|'ve|'m|'ll|'d)",
  String.raw`[^\r\n\p{L}\p{N}]?\p{L}+`,
  String.raw`\p{N}`,
  String.raw` ?[^\s\p{L}\p{N}]+[\r\n]*`,
  String.raw`\s*[\r\n]+`,
  String.raw`\s+(?!\S)`,
  String.raw`\s+`,
].join('|');

const qwen = (config) => ({
  normalizer: { type: 'NFC' },
  pre_tokenizer: {
    type: 'Sequence',
    pretokenizers: [
      { type: 'Split', pattern: { Regex: qwenWords }, behavior: 'Isolated', invert: false },
      {
        type: 'ByteLevel',
        add_prefix_space: config.add_prefix_space ?? false,
        use_regex: false,
      },
    ],
  },
});

/** The beginning and end of each text that add_bos_token and add_eos_token ask for. */
function textEnds({ add_bos_token: hasStart, add_eos_token: hasEnd }, special) {
  if (!hasStart && !hasEnd) return null;
  const around = (text, type) =>
    [hasStart && `bos_token:${type}`, text, hasEnd && `eos_token:${type}`]
      .filter(Boolean)
      .join(' ');
  return special.template(around('A', 0), `${around('A', 0)} ${around('B:1', 1)}`);
}

const roberta = (_, special) => ({
  type: 'RobertaProcessing',
  cls: special.require('cls_token'),
  sep: special.require('sep_token'),
});

const deberta = (_, special) =>
  special.template('cls_token A sep_token', 'cls_token A sep_token B:1 sep_token:1');

const gpt2 = { tokens: gpt2Tokens, words: byteLevel, process: textEnds };
const robertaForm = { tokens: robertaTokens, words: byteLevel, process: roberta };

/** By class: { tokens: special ones by role, words(config), process(config, special) }. */
export const bytePairForms = {
  GPT2Tokenizer: gpt2,
  CodeGenTokenizer: gpt2,
  GPTNeoXTokenizer: gpt2,
  RobertaTokenizer: robertaForm,
  BartTokenizer: robertaForm,
  LongformerTokenizer: robertaForm,
  LEDTokenizer: robertaForm,
  DebertaTokenizer: { tokens: debertaTokens, words: byteLevel, process: deberta },
  Qwen2Tokenizer: { tokens: qwenTokens, words: qwen, process: () => null },
};

/** [first, second] of each line. */
function readMerges(text) {
  const merges = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line === '' || (index === 0 && line.startsWith('#version'))) continue;
    const pair = line.split(' ');
    if (pair.length !== 2 || pair.includes('')) {
      throw new RangeError(
        `line ${index + 1} of merges.txt must be two tokens with a space between them, found '${line.slice(0, 60)}'`,
      );
    }
    merges.push(pair);
  }
  return merges;
}

/** form: of the table; vocab: the parsed vocab.json; merges: the text of merges.txt; files: of SpecialTokens. */
export function bytePairTokenizer(form, vocab, merges, files) {
  if (!isObject(vocab)) throw new RangeError('vocab.json must be an object of ids by token');
  const special = new SpecialTokens(form.tokens, files, new Map(Object.entries(vocab)));
  return {
    added_tokens: special.added,
    ...form.words(files.config),
    post_processor: form.process(files.config, special),
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab, merges: readMerges(merges) },
  };
}

// Converts vocab.txt (one token per line) of BERT and ESM to a tokenizer.json. Source of ESM's: transformers,
// tokenization_esm.py.
import { SpecialTokens } from './special_tokens.js';

const bertTokens = {
  ...{ unk_token: '[UNK]', sep_token: '[SEP]', pad_token: '[PAD]' },
  ...{ cls_token: '[CLS]', mask_token: '[MASK]' },
};
const esmTokens = {
  ...{ unk_token: '<unk>', cls_token: '<cls>', pad_token: '<pad>' },
  ...{ mask_token: '<mask>', eos_token: '<eos>' },
};

function linesOf(text) {
  const lines = text.replace(/\r/g, '').split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** { special, unknown, vocab }: vocab with the unknown token, which a model needs. files: of SpecialTokens. */
function readTokens(lines, defaults, files) {
  const ids = new Map(lines.map((token, id) => [token, id]));
  const special = new SpecialTokens(defaults, files, ids);
  const [unknown, id] = special.require('unk_token');
  ids.set(unknown, id);
  return { special, unknown, vocab: Object.fromEntries(ids) };
}

export function bertTokenizer(text, files) {
  const { special, unknown, vocab } = readTokens(linesOf(text), bertTokens, files);
  const { config } = files;
  return {
    added_tokens: special.added,
    normalizer: {
      type: 'BertNormalizer',
      clean_text: true,
      handle_chinese_chars: config.tokenize_chinese_chars ?? true,
      strip_accents: config.strip_accents ?? null,
      lowercase: config.do_lower_case ?? true,
    },
    pre_tokenizer: { type: 'BertPreTokenizer' },
    post_processor: special.template(
      'cls_token A sep_token',
      'cls_token A sep_token B:1 sep_token:1',
    ),
    decoder: { type: 'WordPiece', prefix: '##', cleanup: true },
    model: {
      type: 'WordPiece',
      unk_token: unknown,
      continuing_subword_prefix: '##',
      max_input_chars_per_word: 100,
      vocab,
    },
  };
}

/** All tokens are found as the text is written, with or without spaces between them; what is left of a word is unknown. */
export function esmTokenizer(text, files) {
  const lines = linesOf(text).map((line) => line.trim());
  const { special, unknown, vocab } = readTokens(lines, esmTokens, files);
  const residues = Object.entries(vocab).filter(
    ([content]) => content !== '' && !special.has(content),
  );
  const end = special.contentOf('eos_token') === undefined ? '' : 'eos_token';
  return {
    added_tokens: [
      ...special.added,
      ...residues.map(([content, id]) => ({ id, content, normalized: false })),
    ],
    pre_tokenizer: { type: 'WhitespaceSplit' },
    post_processor: special.template(`cls_token A ${end}`, `cls_token A ${end} B ${end}`),
    model: { type: 'WordLevel', unk_token: unknown, vocab },
  };
}

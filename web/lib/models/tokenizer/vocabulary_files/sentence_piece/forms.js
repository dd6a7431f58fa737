// The forms of tokenizers with a SentencePiece model, by class: the file's name, special tokens, the ids of pieces, what is
// done to a text before, and the template. Source: transformers, convert_slow_tokenizer.py and the classes named.
import { tokenTypes } from './model_file.js';

const { control, normal, unknown } = tokenTypes;

const special = (text) => ({ text, score: 0, type: control });
const specials = (texts) => texts.map(special);
const asUnknown = (text) => ({ text, score: 0, type: unknown });

/** Ids of fairseq: four special tokens instead of three, then the pieces from the fourth on, then others. */
const fairseq = (pieces, others) => [
  ...specials(['<s>', '<pad>', '</s>']),
  asUnknown('<unk>'),
  ...pieces.slice(3),
  ...specials(others),
];

const camembert = (pieces) => [
  ...specials(['<s>NOTUSED', '<pad>', '</s>NOTUSED']),
  asUnknown('<unk>'),
  special('<unk>NOTUSED'),
  ...pieces.slice(1),
  special('<mask>'),
];

/** ALBERT's pieces of a digit and a comma are unlikely, so that numbers are cut before it. */
const withRareCommas = (pieces) =>
  pieces.map((token) =>
    token.type === normal && /\p{Nd},$/u.test(token.text)
      ? { ...token, score: Math.fround(token.score - 100) }
      : token,
  );

const pegasusOffset = 103;

function pegasus(pieces, { config }) {
  const offset = config.offset ?? pegasusOffset;
  if (offset !== pegasusOffset) {
    throw new RangeError(`'offset' of tokenizer_config.json is ${offset}, expected 103`);
  }
  const unused = Array.from({ length: offset - 2 }, (_, n) => `<unk_${n + 2}>`);
  return [...specials(['<pad>', '</s>', '<mask_1>', '<mask_2>', ...unused]), ...pieces.slice(2)];
}

const maxExtraIds = 10_000;

function withExtraIds(pieces, { config }) {
  const count = config.extra_ids ?? 100;
  if (!Number.isInteger(count) || count < 0 || count > maxExtraIds) {
    throw new RangeError(
      `'extra_ids' of tokenizer_config.json must be an integer from 0 to ${maxExtraIds}, found ${count}`,
    );
  }
  return [
    ...pieces,
    ...specials(Array.from({ length: count }, (_, n) => `<extra_id_${count - 1 - n}>`)),
  ];
}

// Codes of mBART's languages, in the order of their ids.
const languages =
  'ar_AR cs_CZ de_DE en_XX es_XX et_EE fi_FI fr_XX gu_IN hi_IN it_IT ja_XX kk_KZ ko_KR lt_LT lv_LV my_MM ne_NP nl_XX ' +
  'ro_RO ru_RU si_LK tr_TR vi_VN zh_CN';
const moreLanguages =
  'af_ZA az_AZ bn_IN fa_IR he_IL hr_HR id_ID ka_GE km_KH mk_MK ml_IN mn_MN mr_IN pl_PL ps_AF pt_XX sv_SE sw_KE ta_IN ' +
  'te_IN th_TH tl_XX uk_UA ur_PK xh_ZA gl_ES sl_SI';
const mbart = languages.split(' ');
const mbart50 = [...mbart, ...moreLanguages.split(' ')];

/** The language of the input, which its template names. */
function sourceLanguage({ src_lang: language = 'en_XX' }, codes) {
  if (codes.includes(language)) return language;
  throw new RangeError(
    `'src_lang' of tokenizer_config.json is '${language}', expected one of ${codes.join(', ')}`,
  );
}

/** The template of Llama and Gemma: add_bos_token and add_eos_token. */
function textEnds({ config }) {
  const start = (config.add_bos_token ?? true) ? 'bos_token' : '';
  const end = config.add_eos_token ? 'eos_token' : '';
  const around = (text, type) =>
    [start && `${start}:${type}`, text, end && `${end}:${type}`].filter(Boolean).join(' ');
  return [around('A', 0), `${around('A', 0)} ${around('B:1', 1)}`];
}

const clsAndSep = () => ['cls_token A sep_token', 'cls_token A sep_token B:1 sep_token:1'];
const roberta = () => ['cls_token A sep_token', 'cls_token A sep_token sep_token B sep_token'];

const replace = (text, content) => ({ type: 'Replace', pattern: { String: text }, content });

function albertSteps({ keep_accents: keepsAccents = false, do_lower_case: lowers = true }) {
  return [
    ...[replace('``', '"'), replace("''", '"')],
    ...(keepsAccents ? [] : [{ type: 'NFKD' }, { type: 'StripAccents' }]),
    ...(lowers ? [{ type: 'Lowercase' }] : []),
  ];
}

function debertaSteps({ do_lower_case: lowers = false, split_by_punct: splits = false }) {
  if (!splits) return lowers ? [{ type: 'Lowercase' }] : [];
  throw new RangeError("'split_by_punct' of tokenizer_config.json is true, expected false");
}

const mask = (content) => ({ content, lstrip: true });
const llamaTokens = { unk_token: '<unk>', bos_token: '<s>', eos_token: '</s>' };
const robertaTokens = {
  ...{ ...llamaTokens, sep_token: '</s>', cls_token: '<s>' },
  ...{ pad_token: '<pad>', mask_token: mask('<mask>') },
};
const clsTokens = {
  bos_token: '[CLS]',
  eos_token: '[SEP]',
  sep_token: '[SEP]',
  cls_token: '[CLS]',
};

const llama = { file: 'tokenizer.model', tokens: llamaTokens, template: textEnds };
const gemma = {
  ...llama,
  tokens: { unk_token: '<unk>', bos_token: '<bos>', eos_token: '<eos>', pad_token: '<pad>' },
};
const t5 = {
  file: 'spiece.model',
  tokens: { unk_token: '<unk>', eos_token: '</s>', pad_token: '<pad>' },
  pieces: withExtraIds,
  template: () => ['A eos_token', 'A eos_token B eos_token'],
};
const xlmRoberta = {
  file: 'sentencepiece.bpe.model',
  tokens: robertaTokens,
  pieces: (pieces) => fairseq(pieces, ['<mask>']),
  template: roberta,
};

/**
 * By class: { file, tokens: special ones by role, pieces?(of the file, files): by id, steps?(config): normalizers before
 * SentencePiece's, template(files): of one text and of two }.
 */
export const sentencePieceForms = {
  LlamaTokenizer: llama,
  CodeLlamaTokenizer: llama,
  GemmaTokenizer: gemma,
  T5Tokenizer: t5,
  MT5Tokenizer: t5,
  XLMRobertaTokenizer: xlmRoberta,
  CamembertTokenizer: { ...xlmRoberta, pieces: camembert },
  AlbertTokenizer: {
    file: 'spiece.model',
    tokens: { ...clsTokens, unk_token: '<unk>', pad_token: '<pad>', mask_token: mask('[MASK]') },
    pieces: withRareCommas,
    steps: albertSteps,
    template: clsAndSep,
  },
  DebertaV2Tokenizer: {
    file: 'spm.model',
    tokens: { ...clsTokens, unk_token: '[UNK]', pad_token: '[PAD]', mask_token: '[MASK]' },
    steps: debertaSteps,
    template: clsAndSep,
  },
  MBartTokenizer: {
    ...xlmRoberta,
    pieces: (pieces) => fairseq(pieces, [...mbart, '<mask>']),
    template({ config }) {
      const language = sourceLanguage(config, mbart);
      return [`A eos_token ${language}`, `A B eos_token ${language}`];
    },
  },
  MBart50Tokenizer: {
    ...xlmRoberta,
    pieces: (pieces) => fairseq(pieces, [...mbart50, '<mask>']),
    template({ config }) {
      const language = sourceLanguage(config, mbart50);
      return [`${language} A eos_token`, `${language} A B eos_token`];
    },
  },
  PegasusTokenizer: {
    file: 'spiece.model',
    tokens: { unk_token: '<unk>', eos_token: '</s>', pad_token: '<pad>', mask_token: '<mask_2>' },
    pieces: pegasus,
    template: () => ['A eos_token', 'A B eos_token'],
  },
};

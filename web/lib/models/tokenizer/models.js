// Reads the field `model` of tokenizer.json: BPE, Unigram, WordPiece or WordLevel.
import { describe } from '../../arguments/describe.js';
import { BytePairs } from './byte_pairs.js';
import {
  flag,
  id,
  integer,
  isObject,
  nullable,
  optional,
  readFields,
  refuse,
  score,
  shortText,
  string,
} from './fields.js';
import { ignoredOf } from './ignored_fields.js';
import { Unigram } from './unigram.js';
import { Vocabulary } from './vocabulary.js';
import { WholeWords, WordPieces } from './word_pieces.js';

const maxAffix = 256; // characters before or after a word
const maxWord = 256; // characters of a word: WordPiece looks up every substring
const maxTokenLength = 4096; // a few longer ones could decode to gigabytes of text

function requireShort(token) {
  if (token.length <= maxTokenLength) return;
  throw new RangeError(`a token has ${token.length} characters; the limit is ${maxTokenLength}`);
}

/** Reads { token: id } as a Vocabulary. */
function idsByToken(value, label) {
  const tokens = isObject(value) ? Object.keys(value) : [];
  if (tokens.length === 0) refuse(label, 'an object of ids by token', value);
  const ids = tokens.map((token) => {
    requireShort(token);
    return id(value[token], `the id of token ${describe(token)}`);
  });
  return new Vocabulary(tokens, ids);
}

/** [token, score] by id. */
function scoresById(value, label) {
  if (!Array.isArray(value) || value.length === 0) {
    refuse(label, 'an array of [token, score] by id', value);
  }
  value.forEach((pair, n) => {
    if (!Array.isArray(pair) || pair.length !== 2) refuse(`${label}[${n}]`, '[token, score]', pair);
    requireShort(string(pair[0], `the token of ${label}[${n}]`));
    score(pair[1], `the score of ${label}[${n}]`);
  });
  return value;
}

const isPair = (merge) => merge?.length === 2 && merge.every((text) => typeof text === 'string');

/** Pairs of tokens: all written 'a b' (older files) or all ['a', 'b']. */
function mergesOf(value, label) {
  if (!Array.isArray(value)) refuse(label, 'an array', value);
  const isOld = typeof value[0] === 'string';
  const pairs = isOld
    ? value.map((merge) => (typeof merge === 'string' ? merge.split(' ') : merge))
    : value;
  const wrong = pairs.findIndex(
    (merge, n) => !isPair(merge) || (typeof value[n] === 'string') !== isOld,
  );
  if (wrong < 0) return pairs;
  return refuse(
    `${label}[${wrong}]`,
    'a pair of tokens, written like those before it',
    value[wrong],
  );
}

const affix = shortText(maxAffix);

/** By type. */
export const models = {
  BPE: {
    fields: {
      vocab: idsByToken,
      merges: mergesOf,
      unk_token: optional(nullable(string), null),
      continuing_subword_prefix: optional(nullable(affix), null),
      end_of_word_suffix: optional(nullable(affix), null),
      fuse_unk: optional(flag, false),
      byte_fallback: optional(flag, false),
      ignore_merges: optional(flag, false),
    },
    Model: BytePairs,
  },
  Unigram: {
    fields: {
      vocab: scoresById,
      unk_id: optional(nullable(id), null),
      byte_fallback: optional(flag, false),
    },
    Model: Unigram,
  },
  WordPiece: {
    fields: {
      vocab: idsByToken,
      unk_token: optional(string, '[UNK]'),
      continuing_subword_prefix: optional(affix, '##'),
      max_input_chars_per_word: optional(integer(0, maxWord), 100),
    },
    Model: WordPieces,
  },
  WordLevel: {
    fields: { vocab: idsByToken, unk_token: optional(string, '<unk>') },
    Model: WholeWords,
  },
};

/** The type of a model; older files have none. */
function typeOf({ type, vocab, ...fields }) {
  if (type !== undefined) return type;
  if (Array.isArray(vocab)) return 'Unigram';
  if (Object.hasOwn(fields, 'merges')) return 'BPE';
  return Object.hasOwn(fields, 'continuing_subword_prefix') ? 'WordPiece' : 'WordLevel';
}

/** The model of a description: encode(word), vocabulary; more: models beside those of tokenizer.json. */
export function readModel(description, more = {}) {
  if (!isObject(description)) refuse('model', 'an object', description);
  const type = typeOf(description);
  const known = { ...models, ...more };
  if (typeof type !== 'string' || !Object.hasOwn(known, type)) {
    refuse('the type of model', 'BPE, Unigram, WordPiece or WordLevel', type);
  }
  const { type: _, ...fields } = description;
  const component = `model ${type}`;
  const values = readFields(fields, { ...known[type].fields, ...ignoredOf(component) }, component);
  if (type === 'Unigram' && values.unk_id !== null && values.unk_id >= values.vocab.length) {
    refuse(
      `'unk_id' of ${component}`,
      `below ${values.vocab.length}, the size of vocab`,
      values.unk_id,
    );
  }
  return new known[type].Model(values);
}

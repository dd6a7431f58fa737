// The pre-tokenizers of tokenizer.json: functions from a RangedText to its segments, the words that the model encodes.
import { inByteCharacters } from './byte_characters.js';
import { numerals, punctuation, spaces, wordClass } from './characters.js';
import { readComponent } from './components.js';
import { character, flag, integer, listOf, nullable, oneOf, optional } from './fields.js';
import { metaspaceFields, metaspaceScheme } from './metaspace.js';
import {
  behaviors,
  literalMatches,
  patternMatches,
  replaceMatches,
  splitText,
} from './text_matches.js';
import { withPrefix } from './text_prefix.js';
import { textPattern } from './text_pattern.js';
import { scriptSegments } from './unicode_scripts.js';

const none = () => ({});
const behavior = oneOf(Object.keys(behaviors));

/** Splits at each match of a pattern. */
const splitAt = (pattern, how, invert) => (text) =>
  splitText(text, patternMatches(text.text, pattern), how, invert);

/** The segments of the segments. */
const inTurn = (steps) => (text) =>
  steps.reduce((segments, step) => segments.flatMap(step), [text]);

// GPT-2's words: letters, digits or other characters after at most one space; white space up to the last before a word.
const byteLevelWords =
  /'s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\p{White_Space}\p{L}\p{N}]+|\p{White_Space}+(?!\P{White_Space})|\p{White_Space}+/gu;

function byteLevel({ add_prefix_space: addsSpace, use_regex: usesPattern }) {
  const split = usesPattern ? splitAt(byteLevelWords, 'Isolated') : (text) => [text];
  return (source) => {
    const text = addsSpace && !source.text.startsWith(' ') ? withPrefix(source, ' ') : source;
    return split(text).map(inByteCharacters);
  };
}

function metaspace({ replacement, split = true, ...fields }) {
  const scheme = metaspaceScheme(fields);
  return (source) => {
    let text = replaceMatches(source, literalMatches(source.text, ' '), replacement);
    const isFirst = scheme === 'always' || (scheme === 'first' && source.origin === 0);
    if (isFirst && !text.text.startsWith(replacement)) text = withPrefix(text, replacement);
    if (!split) return [text];
    return splitText(text, literalMatches(text.text, replacement), 'MergedWithNext');
  };
}

function fixedLength({ length }) {
  return (source) => {
    const segments = [];
    let from = 0;
    let at = 0;
    let count = 0;
    for (const one of source.text) {
      at += one.length;
      count++;
      if (count < length && at < source.length) continue;
      segments.push(source.slice(from, at));
      from = at;
      count = 0;
    }
    return segments;
  };
}

/** By type. */
export const preTokenizers = {
  BertPreTokenizer: {
    fields: none,
    create: () => inTurn([splitAt(spaces, 'Removed'), splitAt(punctuation, 'Isolated')]),
  },
  ByteLevel: {
    fields: () => ({ add_prefix_space: optional(flag, true), use_regex: optional(flag, true) }),
    create: byteLevel,
  },
  CharDelimiterSplit: {
    fields: () => ({ delimiter: character }),
    create:
      ({ delimiter }) =>
      (text) =>
        splitText(text, literalMatches(text.text, delimiter), 'Removed'),
  },
  Digits: {
    fields: () => ({ individual_digits: optional(flag, false) }),
    create: ({ individual_digits: each }) => splitAt(numerals, each ? 'Isolated' : 'Contiguous'),
  },
  FixedLength: { fields: () => ({ length: optional(integer(1), 5) }), create: fixedLength },
  Metaspace: {
    fields: () => ({ ...metaspaceFields, split: optional(nullable(flag), true) }),
    create: metaspace,
  },
  Punctuation: {
    fields: () => ({ behavior: optional(behavior, 'Isolated') }),
    create: ({ behavior: how }) => splitAt(punctuation, how),
  },
  Sequence: {
    fields: (read) => ({ pretokenizers: listOf(read) }),
    create: ({ pretokenizers: steps }) => inTurn(steps),
  },
  Split: {
    fields: () => ({ pattern: textPattern, behavior, invert: optional(flag, false) }),
    create:
      ({ pattern, behavior: how, invert }) =>
      (text) =>
        splitText(text, pattern(text.text), how, invert),
  },
  UnicodeScripts: { fields: none, create: () => scriptSegments },
  Whitespace: {
    fields: none,
    create: () => {
      const words = new RegExp(`${wordClass}+|[^\\p{White_Space}${wordClass.slice(1)}+`, 'gu');
      return splitAt(words, 'Removed', true);
    },
  },
  WhitespaceSplit: { fields: none, create: () => splitAt(spaces, 'Removed') },
};

const whole = (text) => (text.length === 0 ? [] : [text]);
const sizeOf = (segments) =>
  segments.reduce((sum, segment) => sum + segment.length, segments.length);

/** The function of the field `pre_tokenizer`. */
export const readPreTokenizer = (description) =>
  readComponent(description, 'pre_tokenizer', preTokenizers, sizeOf) ?? whole;
